/** Options of `createPredictionMarket`, their defaults, and the one resolved type: nothing deeper sees `undefined`. */
import type { PricingRule } from './domain/pricing';
import { lmsr } from './domain/lmsr';
import { usdToMicros } from './domain/money';
import { parseAddress } from './crypto/address';
import { silentLogger, type Logger } from './ports/logger';
import { systemClock, type Clock } from './ports/clock';
import { systemRandom, type Random } from './ports/random';
import type { Facilitator } from './ports/facilitator';
import type { Payout } from './ports/payout';
import type { Oracle } from './ports/oracle';
import type { RateLimitBackend } from './ports/rate-limit';
import type { Storage } from './ports/storage';
import type { Address } from './domain/types';

export interface PredictionMarketOptions {
  storage: Storage;
  oracle: Oracle;
  facilitator: Facilitator;
  /** Who pays withdrawals; without it they are refused. */
  payout?: Payout;
  /** Where x402 payments go: an EVM address. */
  payTo: string;
  /** The public address of the host app, with any mount prefix; absolute addresses are built from it. Default `http://localhost:3000`. */
  baseUrl?: string;
  /** Where the pages live; default `baseUrl`. */
  siteUrl?: string;
  /** Named in the messages that wallets sign. Default `Prediction Market`. */
  serviceName?: string;
  /** LMSR liquidity parameter b of new markets, in USD; default 100. */
  liquidityParameter?: number;
  /** The most that the house may lose over all unresolved markets (sum of b ln 2), in USD; default: no limit. */
  exposureLimit?: number;
  /** Requests per rolling minute: of a new key, and of an address without one; default 60 each. */
  keyRateLimit?: number;
  addressRateLimit?: number;
  /** Failed authentications of one address in 5 minutes before it is throttled; default 20. */
  failedAuthLimit?: number;
  /** Lifetime of a challenge in seconds; default 300. */
  challengeTtlSeconds?: number;
  /** How often the jobs look for due work, in milliseconds; default 5000. */
  resolutionIntervalMs?: number;
  /** The payment network in CAIP-2 and the token; default USDC on Base. */
  network?: string;
  asset?: string;
  assetName?: string;
  assetVersion?: string;
  /** Prices of the pay-per-request endpoints, in USD; default 0.001, 0.05 and 1. */
  prices?: { feed?: number; oracleResolve?: number; createMarket?: number };
  /** Where request windows are counted; default: in this process. */
  rateLimit?: RateLimitBackend;
  pricing?: PricingRule;
  logger?: Logger;
  clock?: Clock;
  random?: Random;
}

export interface Config {
  payTo: Address;
  baseUrl: string;
  siteUrl: string;
  serviceName: string;
  liquidityParameterMicros: bigint;
  /** `null`: no limit. */
  exposureLimitMicros: bigint | null;
  keyRateLimit: number;
  addressRateLimit: number;
  failedAuthLimit: number;
  challengeTtlMs: number;
  resolutionIntervalMs: number;
  network: string;
  chainId: number;
  asset: Address;
  assetName: string;
  assetVersion: string;
  /** Of the pay-per-request endpoints, in base units. */
  prices: { feed: bigint; oracleResolve: bigint; createMarket: bigint };
  /** The creator's share of each trade's notional (SPEC: 0.5%). */
  creatorFeeBasisPoints: bigint;
}

export interface Resolved {
  config: Config;
  storage: Storage;
  oracle: Oracle;
  facilitator: Facilitator;
  /** `null`: no withdrawals. */
  payout: Payout | null;
  pricing: PricingRule;
  logger: Logger;
  clock: Clock;
  random: Random;
}

const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

export function resolveOptions(options: PredictionMarketOptions): Resolved {
  const baseUrl = httpUrl('baseUrl', options.baseUrl ?? 'http://localhost:3000');
  const network = options.network ?? 'eip155:8453';
  const chain = /^eip155:([1-9]\d{0,15})$/.exec(network);
  if (chain === null)
    throw new TypeError(`network: expected CAIP-2 like eip155:8453, got ${JSON.stringify(network)}`);
  return {
    storage: required('storage', options.storage),
    oracle: required('oracle', options.oracle),
    facilitator: required('facilitator', options.facilitator),
    payout: options.payout ?? null,
    pricing: options.pricing ?? lmsr,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    config: {
      payTo: address('payTo', options.payTo),
      baseUrl,
      siteUrl: httpUrl('siteUrl', options.siteUrl ?? baseUrl),
      serviceName: serviceName(options.serviceName ?? 'Prediction Market'),
      liquidityParameterMicros: usdToMicros(
        between('liquidityParameter', options.liquidityParameter ?? 100, 1, 1_000_000),
      ),
      exposureLimitMicros:
        options.exposureLimit === undefined
          ? null
          : usdToMicros(between('exposureLimit', options.exposureLimit, 0, 1_000_000_000)),
      keyRateLimit: integer('keyRateLimit', options.keyRateLimit ?? 60, 1, 1_000_000),
      addressRateLimit: integer('addressRateLimit', options.addressRateLimit ?? 60, 1, 1_000_000),
      failedAuthLimit: integer('failedAuthLimit', options.failedAuthLimit ?? 20, 1, 1_000_000),
      challengeTtlMs: 1000 * integer('challengeTtlSeconds', options.challengeTtlSeconds ?? 300, 1, 86_400),
      resolutionIntervalMs: integer(
        'resolutionIntervalMs',
        options.resolutionIntervalMs ?? 5000,
        10,
        86_400_000,
      ),
      network,
      chainId: Number(chain[1]),
      asset: address('asset', options.asset ?? BASE_USDC),
      assetName: options.assetName ?? 'USD Coin',
      assetVersion: options.assetVersion ?? '2',
      prices: {
        feed: priceMicros('feed', options.prices?.feed ?? 0.001),
        oracleResolve: priceMicros('oracleResolve', options.prices?.oracleResolve ?? 0.05),
        createMarket: priceMicros('createMarket', options.prices?.createMarket ?? 1),
      },
      creatorFeeBasisPoints: 50n,
    },
  };
}

function required<T>(name: string, value: T | undefined): T {
  if (value === undefined || value === null)
    throw new TypeError(`createPredictionMarket: ${name} is required`);
  return value;
}

function priceMicros(name: string, usd: number): bigint {
  return usdToMicros(between(`prices.${name}`, usd, 0.000001, 1_000_000));
}

function address(name: string, value: string): Address {
  const parsed = parseAddress(value);
  if (parsed === null) throw new TypeError(`${name}: expected an EVM address, got ${JSON.stringify(value)}`);
  return parsed;
}

function httpUrl(name: string, value: string): string {
  // URL parsing forgives line breaks, which would forge lines of what wallets sign.
  const url = /^\P{Cc}+$/u.test(value) && URL.canParse(value) ? new URL(value) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!plain) throw new TypeError(`${name}: expected an http(s) address, got ${JSON.stringify(value)}`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function serviceName(value: string): string {
  // It stands in the title line of what wallets sign: a line break there would forge the lines below.
  if (!/^[\x20-\x7e]{1,80}$/.test(value) || value.trim() === '') {
    throw new TypeError(
      `serviceName: expected 1 to 80 printable ASCII characters, got ${JSON.stringify(value)}`,
    );
  }
  return value;
}

function between(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) {
    throw new RangeError(`${name}: expected a number from ${low} to ${high}, got ${String(value)}`);
  }
  return value;
}

function integer(name: string, value: number, low: number, high: number): number {
  if (!Number.isInteger(value)) throw new RangeError(`${name}: expected an integer, got ${String(value)}`);
  return between(name, value, low, high);
}
