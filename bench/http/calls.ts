/** The requests that the HTTP bench measures, and the answers of its servers. */

/** The kind of request: one market, a page of markets, or a trade. */
export type Call = 'market' | 'list' | 'trade';

/** How many markets a server of the bench has. A list of markets contains all of them. */
export const MARKETS = 100;

export const PATHS: Record<Call, (marketId: number | ':id') => string> = {
  market: (id) => `/api/v2/public/markets/${id}`,
  list: () => `/api/v2/public/markets?limit=${MARKETS}`,
  trade: (id) => `/api/v2/public/markets/${id}/trade`,
};

/** What the process of the bench prints when its server listens. */
export interface ServerInfo {
  port: number;
  apiKey: string;
  marketId: number;
}

/** What a server answers to the request of a target. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** The answers that bare Express gives in place of one of our servers. */
export type BareRoute = Record<Call, Answer>;
