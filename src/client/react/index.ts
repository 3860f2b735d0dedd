'use client';
/** `express-prediction-market/react`: hooks whose data change with the service, and that say whether they do. */
export { PredictionMarketProvider, useClient, type PredictionMarketProviderProps } from './provider';
export { useMarket, usePosition, usePrice, type Holding, type MarketPrice } from './hooks';
export { useTrade, type TradeState, type UseTrade } from './use-trade';
export type { Shown } from './shown';
