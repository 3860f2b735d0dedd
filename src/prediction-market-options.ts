import type { OwnCommit } from './domain/events';
import type { PricingRule } from './domain/pricing';
import type { OperatorName } from './http/operator-name';
import type { LiveOptions } from './live-options';
import type { OracleOptions } from './oracle-options';
import type { Clock } from './ports/clock';
import type { Facilitator } from './ports/facilitator';
import type { Logger } from './ports/logger';
import type { Oracle } from './ports/oracle';
import type { Payout } from './ports/payout';
import type { Random } from './ports/random';
import type { RateLimitBackend } from './ports/rate-limit';
import type { Storage } from './ports/storage';
import type { WebhookOptions } from './webhook-options';

export interface PredictionMarketOptions extends OracleOptions {
  /** The storage of all data, such as `sqliteStorage({ file })` or `postgresStorage({ url })`. */
  storage: Storage;
  /** Who decides the outcomes: `manualOracle()` for operators, or models, or your own code. */
  oracle: Oracle;
  /** Checks and settles payments: `developmentFacilitator()` for play money, or a facilitator for real money. */
  facilitator: Facilitator;
  /** Sends withdrawals on a chain. If it is left out, withdrawals are refused. */
  payout?: Payout | undefined;
  /** The EVM address that receives x402 payments. */
  payTo: string;
  /**
   * The public http(s) address of the host app, with its mount path. Default: protocol, host and mount path of
   * each request, as Express sees them.
   */
  baseUrl?: string | undefined;
  /**
   * The name of the service in messages that wallets sign: one line, at most 80 printable ASCII characters.
   * Default `Prediction Market`.
   */
  serviceName?: string | undefined;
  /** The LMSR liquidity parameter b of new markets, in USD. Default 100. docs/specification.md "Pricing". */
  liquidityParameter?: number | undefined;
  /**
   * How far the worst losses of all unresolved markets (b ln 2 each) may exceed the treasury's balance, in USD.
   * Default 10,000. docs/specification.md "House risk".
   */
  exposureLimit?: number | undefined;
  /**
   * The most that the markets of one creator may cost the house, in USD: the worst losses of unresolved markets
   * and the actual losses of resolved ones. Default: no limit.
   */
  creatorExposureLimit?: number | undefined;
  /** The smallest withdrawal, in USD. Each withdrawal costs the house gas. Default 1. */
  smallestWithdrawal?: number | undefined;
  /** How many withdrawals of a wallet may be open (pending or sent) at once. Default 5. */
  withdrawalLimit?: number | undefined;
  /** How many requests a new key may make in any 60 seconds. Default 60. */
  keyRateLimit?: number | undefined;
  /** How many requests without a valid key an address may make in any 60 seconds. Default 60. */
  addressRateLimit?: number | undefined;
  /** After how many failed authentications in 5 minutes an address is throttled. Default 20. */
  failedAuthLimit?: number | undefined;
  /**
   * After how many refused payments of an address in 5 minutes its payments get status 429. A refusal counts if a row
   * was written for the payment or the facilitator was asked. Default 100.
   */
  refusedPaymentLimit?: number | undefined;
  /**
   * How many payments one instance works on at once; one address may have a quarter of them. A payment over the limit
   * gets status 503, and over the quarter 429. Neither is charged. Default 500.
   */
  paymentsInWorkLimit?: number | undefined;
  /** How many seconds a challenge is valid. Default 300. */
  challengeTtlSeconds?: number | undefined;
  /**
   * How often the jobs look for due markets, payments and withdrawals, in milliseconds. Default 5000, or
   * `resolutionIntervalMs` if that is less.
   */
  jobIntervalMs?: number | undefined;
  /** For how many days facts are kept in the outbox. Default 7. */
  eventRetentionDays?: number | undefined;
  /**
   * For how many days facts are kept that a consumer has not handled yet. Default 30, or `eventRetentionDays`
   * if that is more.
   */
  consumerRetentionDays?: number | undefined;
  /** The network of payments, in CAIP-2. Default `eip155:8453` (Base). */
  network?: string | undefined;
  /** The EVM address of the token. Default: USDC on Base. */
  asset?: string | undefined;
  /** The `name` of the token's EIP-712 domain. Default `USD Coin`. */
  assetName?: string | undefined;
  /** The `version` of the token's EIP-712 domain. Default `2`. */
  assetVersion?: string | undefined;
  /** The prices of the paid calls, in USD. */
  prices?:
    | {
        /** The price of `GET /x402/feed`, in USD. Default 0.001. */
        feed?: number | undefined;
        /** The price of `GET /x402/oracle/resolve`, in USD. Default 0.05. */
        oracleResolve?: number | undefined;
        /** The price of `POST /x402/markets`, in USD. Default 1. */
        createMarket?: number | undefined;
      }
    | undefined;
  /** The options of webhooks: docs/live.md "Webhooks". */
  webhooks?: WebhookOptions | undefined;
  /** The limits of sockets and streams. */
  live?: LiveOptions | undefined;
  /** Counts requests and failures. Default: `memoryRateLimit()`, in this process. */
  rateLimit?: RateLimitBackend | undefined;
  /** The market maker. Default: `lmsr`. */
  pricing?: PricingRule | undefined;
  /**
   * Names the operator who sends a request to `adminRouter`, for the operators' log: one line of at most 100
   * characters. Default: the name of the operator's token (`requireToken({ tokens })`), or `operator`.
   */
  operatorName?: OperatorName | undefined;
  /**
   * Called with each event that this instance has committed, for example to count events. The function must return at
   * once. An error that it throws is logged.
   */
  onCommit?: ((event: OwnCommit) => void) | undefined;
  /** Receives structured log lines. Default: only mistakes in the set-up are reported, as warnings of the process. */
  logger?: Logger | undefined;
  /** The source of time. Default: the system clock. */
  clock?: Clock | undefined;
  /** The source of random bytes. Default: the generator of Node's `crypto`. */
  random?: Random | undefined;
}
