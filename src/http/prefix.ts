/** The path of the API below `baseUrl`. */
export const API_PREFIX = '/api/v2';
/**
 * The path of the operators' routes below `baseUrl`. Our router lets requests below this path through, so the
 * host may mount the operators' router before or behind our router.
 */
export const OPERATORS_PREFIX = `${API_PREFIX}/admin`;
