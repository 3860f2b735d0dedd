/** Where the API lives below `baseUrl`. */
export const API_PREFIX = '/api/v2';
