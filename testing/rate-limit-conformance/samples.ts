/** Figures that several checks use. */
export const WINDOW_MS = 60_000;
/** A fixed instant. A backend that counts requests by the clock of the machine gives other results. */
export const NOW = Date.parse('2037-03-01T12:00:00Z');
export const FIVE_MINUTES_MS = 300_000;
export const LONGEST_WAIT_MS = 2_000;
export const SILENCES = 'makes the server that the backend asks stop answering';
