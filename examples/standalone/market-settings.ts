/** The settings of markets, prices and withdrawals. */
import type { PredictionMarketOptions } from 'express-prediction-market';
import { integer, together, unexpected, type Variables } from './checks';

export type MarketSettings = Pick<
  PredictionMarketOptions,
  'liquidityParameter' | 'keyRateLimit' | 'smallestWithdrawal' | 'withdrawalLimit' | 'prices'
>;

export function readMarketSettings(value: Variables): MarketSettings {
  const amount = (name: string, low: number, high: number) => () => usd(name, value(name), low, high);
  const { feed, oracleResolve, createMarket, ...others } = together({
    liquidityParameter: amount('LIQUIDITY_PARAMETER', 1, 1_000_000),
    keyRateLimit: () => integer('KEY_RATE_LIMIT', value('KEY_RATE_LIMIT'), undefined, 1, 1_000_000),
    smallestWithdrawal: amount('SMALLEST_WITHDRAWAL', 0.01, 1_000_000),
    withdrawalLimit: () => integer('WITHDRAWAL_LIMIT', value('WITHDRAWAL_LIMIT'), undefined, 1, 1_000),
    feed: amount('FEED_PRICE', 0.000001, 1_000_000),
    oracleResolve: amount('ORACLE_PRICE', 0.000001, 1_000_000),
    createMarket: amount('MARKET_PRICE', 0.000001, 1_000_000),
  });
  return { ...others, prices: { feed, oracleResolve, createMarket } };
}

/** An amount in USD with at most six decimals. */
function usd(name: string, text: string | undefined, low: number, high: number): number | undefined {
  if (text === undefined) return undefined;
  const amount = /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
  if (amount >= low && amount <= high) return amount;
  throw unexpected(name, `USD from ${plain(low)} to ${plain(high)} with at most six decimals`, text);
}

/** The number without an exponent, such as `0.000001`. */
const plain = (amount: number): string => amount.toFixed(6).replace(/\.?0+$/, '');
