/** The path of the API below `baseUrl`. */
export const API_PREFIX = '/api/v2';
/**
 * The usual path of the operators' routes below `baseUrl`. Our router passes requests below this path on, so a host
 * can mount the operators' router there before or after our router.
 */
export const OPERATORS_PREFIX = `${API_PREFIX}/admin`;
