/** The checks of the options of `createPredictionMarket`. config.ts adds the defaults. */
import { liveCheck } from './live-options';
import { webhookCheck } from './webhook-options';
import type { PredictionMarketOptions } from './prediction-market-options';
import { parseAddress } from './crypto/address';
import {
  aClock,
  callback,
  implementing,
  integerBetween,
  isHttpAddress,
  mustBe,
  nested,
  optional,
  printableText,
  textOnOneLine,
  usdBetween,
  type Check,
  type Checks,
} from './domain/options';
import type { PricingRule } from './domain/pricing';
import { chainIdOf } from './domain/x402-networks';
import { ORACLE_CHECKS } from './oracle-options';
import type { Facilitator } from './ports/facilitator';
import type { Logger } from './ports/logger';
import type { Oracle } from './ports/oracle';
import type { Payout } from './ports/payout';
import type { Random } from './ports/random';
import type { RateLimitBackend } from './ports/rate-limit';
import type { Storage } from './ports/storage';

const price = optional(usdBetween(0.000001, 1_000_000));
const evmAddress = mustBe(
  'an EVM address (0x and 40 hex digits, not zero; mixed case right by EIP-55)',
  (value) => parseAddress(value) !== null,
);
const days = optional(integerBetween(1, 3_650));
const countLimit = optional(integerBetween(1, 1_000_000));
/**
 * The service appends paths to this address. The address is also part of messages that wallets sign, in which a line
 * break could forge a line.
 */
const plainAddress = optional(
  mustBe(
    'an http(s) address without user, query and fragment',
    (value) => isHttpAddress(value) && /^\P{Cc}+$/u.test(value) && isPlain(new URL(value)),
  ),
);

const answering = implementing<Oracle>('an oracle, such as the one that manualOracle makes', ['ask']);
const role = optional(
  mustBe('"authority" or "judge"', (value) => value === 'authority' || value === 'judge'),
);
/** Also checks the role, because a mistyped `judge` would count as an authority, which decides alone. */
const anOracle: Check = (value, option) => {
  answering(value, option);
  role((value as Oracle).role, { ...option, path: `${option.path}.role` });
};

/** If several options are wrong, the first one in this order is reported. */
export const OPTION_CHECKS: Checks<PredictionMarketOptions> = {
  storage: implementing<Storage>('a storage, such as the one that sqliteStorage makes', [
    'open',
    'close',
    'ping',
    'read',
    'snapshot',
    'transaction',
  ]),
  oracle: anOracle,
  facilitator: implementing<Facilitator>('a facilitator, such as the one that developmentFacilitator makes', [
    'verify',
    'settle',
    'lookup',
    'supported',
  ]),
  payTo: evmAddress,
  payout: optional(
    implementing<Payout>('a payout, such as the one that evmPayout makes', ['prepare', 'submit', 'check']),
  ),
  baseUrl: plainAddress,
  // A line break in the name could forge a line of the messages that wallets sign.
  serviceName: optional(printableText(80)),
  liquidityParameter: optional(usdBetween(1, 1_000_000)),
  exposureLimit: optional(usdBetween(0, 1_000_000_000)),
  creatorExposureLimit: optional(usdBetween(0, 1_000_000_000)),
  keyRateLimit: countLimit,
  addressRateLimit: countLimit,
  failedAuthLimit: countLimit,
  refusedPaymentLimit: countLimit,
  paymentsInWorkLimit: countLimit,
  smallestWithdrawal: optional(usdBetween(0.01, 1_000_000)),
  withdrawalLimit: optional(integerBetween(1, 1_000)),
  challengeTtlSeconds: optional(integerBetween(1, 86_400)),
  jobIntervalMs: optional(integerBetween(10, 86_400_000)),
  eventRetentionDays: days,
  consumerRetentionDays: days,
  ...ORACLE_CHECKS,
  network: optional(
    mustBe('a network in CAIP-2, like eip155:8453', (value) => chainIdOf(String(value)) !== null),
  ),
  asset: optional(evmAddress),
  assetName: optional(textOnOneLine(100)),
  assetVersion: optional(textOnOneLine(100)),
  prices: optional(nested({ feed: price, oracleResolve: price, createMarket: price })),
  live: liveCheck,
  webhooks: webhookCheck,
  rateLimit: optional(
    implementing<RateLimitBackend>('a rate-limit backend, such as the one that redisRateLimit makes', [
      'window',
      'failures',
    ]),
  ),
  pricing: optional(
    implementing<PricingRule>('a pricing rule such as lmsr', [
      'yesPrice',
      'buyCost',
      'sellProceeds',
      'sharesForCost',
      'withinBounds',
      'worstLoss',
    ]),
  ),
  logger: optional(
    implementing<Logger>('a logger with the functions debug, info, warn and error', [
      'debug',
      'info',
      'warn',
      'error',
    ]),
  ),
  operatorName: optional(callback),
  onCommit: optional(callback),
  clock: optional(aClock),
  random: optional(implementing<Random>('a source of randomness with the function bytes', ['bytes'])),
};

/**
 * Refuses the same private key for the facilitator and the payout. Settlements and withdrawals from one address would
 * take each other's transaction nonces.
 * @throws TypeError
 */
export function checkKeys({ facilitator, payout }: PredictionMarketOptions): void {
  const settler = facilitator.address?.toLowerCase();
  if (settler === undefined || payout?.address?.toLowerCase() !== settler) return;
  throw new TypeError(
    `createPredictionMarket: payout must have another private key than facilitator; both send from ${payout.address}`,
  );
}

/**
 * Refuses a facilitator and a payout of which one moves play money and the other real money. Payers could otherwise
 * turn play money into real money, or lose real money.
 * @throws TypeError
 */
export function checkMoney({ facilitator, payout }: PredictionMarketOptions): void {
  const payments = statedMoney('facilitator', facilitator);
  const payouts = statedMoney('payout', payout);
  if (payments === null || payouts === null || payments === payouts) return;
  const kind = (isPlay: boolean): string => (isPlay ? 'play money' : 'real money');
  throw new TypeError(
    `createPredictionMarket: facilitator moves ${kind(payments)}, and payout ${kind(payouts)}: both must move the same (\`playMoney\` of the adapter)`,
  );
}

/** `null`: the adapter does not say whether its money is real. @throws TypeError for a text such as 'false'. */
function statedMoney(option: string, adapter: { playMoney?: boolean } | undefined): boolean | null {
  const stated: unknown = adapter?.playMoney ?? null;
  if (stated === null || typeof stated === 'boolean') return stated;
  throw new TypeError(`createPredictionMarket: ${option}.playMoney: expected true or false`);
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}
