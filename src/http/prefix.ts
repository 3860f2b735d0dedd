/** Where the API lives below `baseUrl`. */
export const API_PREFIX = '/api/v2';
/** Left to the host, which may mount the operators' routes here, before our router or behind it. */
export const OPERATORS_PREFIX = `${API_PREFIX}/admin`;
