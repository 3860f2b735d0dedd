/** The path of the API below `baseUrl`. */
export const API_PREFIX = '/api/v2';
/** Our router passes on requests below this path. The host may mount the operators' router here, before or behind ours. */
export const OPERATORS_PREFIX = `${API_PREFIX}/admin`;
