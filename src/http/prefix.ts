/** The path of the API below `baseUrl`. */
export const API_PREFIX = '/api/v2';
/**
 * The path of the operators' routes below `baseUrl`. Our router passes requests below this path on, so the host may
 * mount the operators' router before or after our router.
 */
export const OPERATORS_PREFIX = `${API_PREFIX}/admin`;
