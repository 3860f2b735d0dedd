/** The requests that the HTTP bench measures. */
import type { Answer } from './servers';

/** One market, a page of markets, or a trade. */
export type Call = 'market' | 'list' | 'trade';

/** How many markets a server of the bench has, and a list of markets contains. */
export const MARKETS = 100;

export const PATHS: Record<Call, (marketId: number | ':id') => string> = {
  market: (id) => `/api/v2/public/markets/${id}`,
  list: () => `/api/v2/public/markets?limit=${MARKETS}`,
  trade: (id) => `/api/v2/public/markets/${id}/trade`,
};

/** The answers that bare Express gives in place of one of our servers. */
export type BareRoute = Record<Call, Answer>;
