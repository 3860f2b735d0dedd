/** Checks the options of `createPredictionMarket` and adds the defaults. */
import type { PricingRule } from './domain/pricing';
import { lmsr } from './domain/lmsr';
import { usdToMicros } from './domain/money';
import { checkOptions } from './domain/options';
import { guardedLogger, setUpLogger, type Logger } from './ports/logger';
import { systemClock, type Clock } from './ports/clock';
import { systemRandom, type Random } from './ports/random';
import type { Facilitator } from './ports/facilitator';
import type { Payout } from './ports/payout';
import type { Oracle } from './ports/oracle';
import type { Storage } from './ports/storage';
import { liveConfig, type LiveConfig } from './live-options';
import { checkKeys, checkMoney, OPTION_CHECKS } from './option-checks';
import { oracleConfig, type OracleConfig } from './oracle-options';
import type { OracleRound } from './domain/oracle/resolution-state';
import type { Address } from './domain/types';
import type { PredictionMarketOptions } from './prediction-market-options';
import { DEFAULT_FAILED_AUTH_LIMIT } from './rate-limit/auth-throttle';
import { webhookConfig, type WebhookConfig } from './webhook-options';

export interface Config extends OracleConfig {
  payTo: Address;
  /** `null`: answers name the address that the request was sent to. */
  baseUrl: string | null;
  serviceName: string;
  liquidityParameterMicros: bigint;
  exposureLimitMicros: bigint;
  /** The limit for the markets of each creator. `null`: only `exposureLimitMicros` applies. */
  creatorExposureLimitMicros: bigint | null;
  smallestWithdrawalMicros: bigint;
  withdrawalLimit: number;
  keyRateLimit: number;
  addressRateLimit: number;
  failedAuthLimit: number;
  refusedPaymentLimit: number;
  paymentsInWorkLimit: number;
  challengeTtlMs: number;
  jobIntervalMs: number;
  eventRetentionMs: number;
  /** How long facts are kept that a consumer has not handled yet. At least `eventRetentionMs`. */
  consumerRetentionMs: number;
  network: string;
  chainId: number;
  asset: Address;
  assetName: string;
  assetVersion: string;
  /** Prices of the paid calls, in base units. */
  prices: { feed: bigint; oracleResolve: bigint; createMarket: bigint };
  webhooks: WebhookConfig;
  live: LiveConfig;
  /** The creator's share of the notional of each trade. docs/specification.md "Fees". */
  creatorFeeBasisPoints: bigint;
}

export interface Resolved {
  config: Config;
  storage: Storage;
  oracle: Oracle;
  facilitator: Facilitator;
  /** `null`: withdrawals are refused. */
  payout: Payout | null;
  pricing: PricingRule;
  logger: Logger;
  clock: Clock;
  random: Random;
  onOracleRound: (round: OracleRound) => void;
}

const DAY_MS = 86_400_000;
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** @throws TypeError or RangeError with one sentence that names the option. */
export function resolveOptions(options: PredictionMarketOptions): Resolved {
  checkOptions('createPredictionMarket', options, OPTION_CHECKS);
  checkKeys(options);
  checkMoney(options);
  const oracle = oracleConfig(options);
  const baseUrl = withoutLastSlash(options.baseUrl);
  const eventRetentionMs = DAY_MS * (options.eventRetentionDays ?? 7);
  const network = options.network ?? 'eip155:8453';
  return {
    storage: options.storage,
    oracle: options.oracle,
    facilitator: options.facilitator,
    payout: options.payout ?? null,
    pricing: options.pricing ?? lmsr,
    logger: guardedLogger(options.logger ?? setUpLogger),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    onOracleRound: options.onOracleRound ?? (() => undefined),
    config: {
      payTo: lowerCase(options.payTo),
      baseUrl,
      serviceName: options.serviceName ?? 'Prediction Market',
      liquidityParameterMicros: usdToMicros(options.liquidityParameter ?? 100),
      exposureLimitMicros: usdToMicros(options.exposureLimit ?? 10_000),
      creatorExposureLimitMicros:
        options.creatorExposureLimit === undefined ? null : usdToMicros(options.creatorExposureLimit),
      keyRateLimit: options.keyRateLimit ?? 60,
      addressRateLimit: options.addressRateLimit ?? 60,
      failedAuthLimit: options.failedAuthLimit ?? DEFAULT_FAILED_AUTH_LIMIT,
      refusedPaymentLimit: options.refusedPaymentLimit ?? 100,
      paymentsInWorkLimit: options.paymentsInWorkLimit ?? 500,
      smallestWithdrawalMicros: usdToMicros(options.smallestWithdrawal ?? 1),
      withdrawalLimit: options.withdrawalLimit ?? 5,
      challengeTtlMs: 1000 * (options.challengeTtlSeconds ?? 300),
      jobIntervalMs: options.jobIntervalMs ?? Math.min(5000, oracle.resolutionIntervalMs),
      eventRetentionMs,
      consumerRetentionMs: Math.max(eventRetentionMs, DAY_MS * (options.consumerRetentionDays ?? 30)),
      ...oracle,
      live: liveConfig(options.live),
      network,
      chainId: Number(network.slice('eip155:'.length)),
      asset: lowerCase(options.asset ?? BASE_USDC),
      assetName: options.assetName ?? 'USD Coin',
      assetVersion: options.assetVersion ?? '2',
      prices: {
        feed: usdToMicros(options.prices?.feed ?? 0.001),
        oracleResolve: usdToMicros(options.prices?.oracleResolve ?? 0.05),
        createMarket: usdToMicros(options.prices?.createMarket ?? 1),
      },
      webhooks: webhookConfig(options.webhooks),
      creatorFeeBasisPoints: 50n,
    },
  };
}

function lowerCase(checked: string): Address {
  return checked.toLowerCase();
}

function withoutLastSlash(address: string | undefined): string | null {
  if (address === undefined) return null;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
