/** The name under which the pages store the API key of this browser. The documentation of the same origin reads it. */
export const STORED_KEY = 'prediction-market.api-key';
