'use client';
/** `express-prediction-market/react`: hooks that return current data of the service. */
export { PredictionMarketProvider, useClient, type PredictionMarketProviderProps } from './provider';
export { useMarket, usePosition, usePrice, type Holding, type MarketPrice } from './hooks';
export { useTrade, type TradeState, type UseTrade } from './use-trade';
export type { Shown } from './shown';
