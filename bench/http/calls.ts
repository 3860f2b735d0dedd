export type Call = 'market' | 'list' | 'trade';

/** How many markets a server of the bench has. A list of markets contains all of them. */
export const MARKETS = 100;

export const PATHS: Record<Call, (marketId: number | ':id') => string> = {
  market: (id) => `/api/v2/public/markets/${id}`,
  list: () => `/api/v2/public/markets?limit=${MARKETS}`,
  trade: (id) => `/api/v2/public/markets/${id}/trade`,
};

export interface ServerInfo {
  port: number;
  apiKey: string;
  marketId: number;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export type BareRoute = Record<Call, Answer>;
