/**
 * Reads and checks the environment once (docs/standalone.md). One `SettingsError` names all wrong values, with
 * one line for each.
 */
import { readTokens, type TokenSettings } from './admin-token';
import {
  httpUrl,
  integer,
  together,
  unexpected,
  variablesOf,
  wrong,
  type Environment,
  type Variables,
} from './checks';
import { parseTrustProxy } from 'express-prediction-market';
import { frameAncestors } from 'express-prediction-market/site';
import { misspelt, type Misspelt } from './misspelt';
import { readMarketSettings, type MarketSettings } from './market-settings';
import { readOracleSettings, type OracleSettings } from './oracle-settings';
import { readPaymentSettings, type PaymentSettings } from './payment-settings';

export type StorageChoice =
  { kind: 'memory' } | { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Settings extends PaymentSettings, OracleSettings, TokenSettings {
  host: string;
  /** The port to listen on. 0 stands for any free port. */
  port: number;
  /** The number of processes that serve. */
  workers: number;
  /** `undefined`: answers name the address to which each request was sent. */
  baseUrl: string | undefined;
  siteUrl: string | undefined;
  /** The origins whose pages may show a market in a frame. `undefined`: this site only. */
  embedAncestors: string[] | undefined;
  storage: StorageChoice;
  /** `undefined`: each instance counts requests in its own memory. */
  redisUrl: string | undefined;
  /** Options of the market that are passed on as they are. */
  market: MarketSettings;
  /** The USD that the house may lose beyond the treasury's balance. */
  exposureLimit: number;
  /** The USD that the markets of one creator may cost the house. `null`: no limit. */
  creatorExposureLimit: number | null;
  resolutionIntervalMs: number;
  challengeTtlSeconds: number;
  addressRateLimit: number;
  failedAuthLimit: number;
  /** How long facts are kept. */
  eventRetentionDays: number;
  /** How long facts are kept that a consumer has not handled yet. */
  consumerRetentionDays: number;
  /** Whether webhooks may go to addresses that are not public, and without TLS. */
  webhookAllowPrivate: boolean;
  /**
   * The value for Express's `trust proxy`: the number of proxies in front of the server, or their addresses. `false`:
   * there is no proxy.
   */
  trustProxy: false | number | string[];
  logLevel: LogLevel;
  /** Whether `NODE_ENV` is `production`. */
  isProduction: boolean;
  /** Variables that the server does not know, and that are probably misspelt settings. */
  misspelt: Misspelt[];
}

/** Ten years in days. */
const TEN_YEARS = 3_650;
const MOST_WORKERS = 64;
const LARGEST_USD = 1_000_000_000;
const REAL_MONEY_LIMIT = 10_000;
const PLAY_MONEY_LIMIT = 10_000_000;

export function readSettings(environment: Environment): Settings {
  const known = new Set<string>();
  const valueOf = variablesOf(environment);
  const value = (name: string): string | undefined => {
    known.add(name);
    return valueOf(name);
  };
  const whole = (name: string, fallback: number, low: number, high: number) => () =>
    integer(name, value(name), fallback, low, high);
  const { addresses, stored, payments, oracle, tokens, exposureLimit, ...others } = together({
    addresses: () => readAddresses(value),
    stored: () => readStorage(value),
    payments: () => readPaymentSettings(value),
    market: () => readMarketSettings(value),
    oracle: () => readOracleSettings(value),
    tokens: () => readTokens(value),
    exposureLimit: () => integer('EXPOSURE_LIMIT', value('EXPOSURE_LIMIT'), null, 0, LARGEST_USD),
    creatorExposureLimit: () =>
      integer('CREATOR_EXPOSURE_LIMIT', value('CREATOR_EXPOSURE_LIMIT'), null, 0, LARGEST_USD),
    resolutionIntervalMs: whole('RESOLUTION_INTERVAL_MS', 60_000, 10, 86_400_000),
    challengeTtlSeconds: whole('CHALLENGE_TTL_SECONDS', 300, 1, 86_400),
    addressRateLimit: whole('ADDRESS_RATE_LIMIT', 60, 1, 1_000_000),
    failedAuthLimit: whole('FAILED_AUTH_LIMIT', 20, 1, 1_000_000),
    eventRetentionDays: whole('EVENT_RETENTION_DAYS', 7, 1, TEN_YEARS),
    consumerRetentionDays: whole('CONSUMER_RETENTION_DAYS', 30, 1, TEN_YEARS),
    webhookAllowPrivate: () => flag('WEBHOOK_ALLOW_PRIVATE', value('WEBHOOK_ALLOW_PRIVATE')),
    logLevel: () => logLevel(value('LOG_LEVEL') ?? 'info'),
    isProduction: () => value('NODE_ENV') === 'production',
  });
  const usualLimit = payments.facilitator.kind === 'development' ? PLAY_MONEY_LIMIT : REAL_MONEY_LIMIT;
  return {
    ...addresses,
    ...stored,
    ...payments,
    ...oracle,
    ...tokens,
    ...others,
    exposureLimit: exposureLimit ?? usualLimit,
    misspelt: misspelt(Object.keys(environment), [...known]),
  };
}

function readAddresses(
  value: Variables,
): Pick<Settings, 'host' | 'port' | 'baseUrl' | 'siteUrl' | 'embedAncestors' | 'trustProxy'> {
  const { siteUrl, ...addresses } = together({
    host: () => value('HOST') ?? '127.0.0.1',
    port: () => integer('PORT', value('PORT'), 3000, 0, 65_535),
    baseUrl: () => httpUrl('BASE_URL', value('BASE_URL')),
    siteUrl: () => httpUrl('SITE_URL', value('SITE_URL')),
    embedAncestors: () => embedAncestors(value('EMBED_ANCESTORS')),
    trustProxy: () => trustProxy(value('TRUST_PROXY')),
  });
  return { ...addresses, siteUrl: siteUrl ?? addresses.baseUrl };
}

function readStorage(value: Variables): Pick<Settings, 'storage' | 'redisUrl' | 'workers'> {
  const { count, ...stored } = together({
    storage: () => storageChoice(value('DATABASE_URL') ?? 'sqlite:data/markets.db'),
    redisUrl: () => redisUrl(value('REDIS_URL')),
    count: () => integer('WORKERS', value('WORKERS'), 1, 1, MOST_WORKERS),
  });
  return { ...stored, workers: workers(count, stored.storage, stored.redisUrl) };
}

const NO_ADDRESS =
  'the postgres:// address cannot be parsed: write signs such as / ? # % of a password as %2F %3F %23 %25';

/** Whether the text is an address whose percent-encoding is well formed. */
function isAddress(text: string): boolean {
  try {
    decodeURI(text);
    return URL.canParse(text);
  } catch {
    return false;
  }
}

function storageChoice(text: string): StorageChoice {
  if (text === 'memory:' || text === 'memory') return { kind: 'memory' };
  if (/^postgres(ql)?:\/\//.test(text)) {
    // The message does not repeat the address, because it may contain a password.
    if (!isAddress(text)) throw wrong('DATABASE_URL', NO_ADDRESS);
    return { kind: 'postgres', url: text };
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
  if (file !== undefined && !file.includes('\0')) return { kind: 'sqlite', file };
  throw wrong('DATABASE_URL', 'expected sqlite:<file>, postgres://… or memory:');
}

function redisUrl(text: string | undefined): string | undefined {
  if (text === undefined || (/^rediss?:\/\//.test(text) && isAddress(text))) return text;
  // The message does not repeat the address, because it may contain a password.
  throw wrong('REDIS_URL', 'expected a redis:// or rediss:// address, with % in a password as %25');
}

function workers(count: number, storage: StorageChoice, redis: string | undefined): number {
  if (count === 1) return 1;
  if (storage.kind !== 'postgres')
    throw wrong(
      'WORKERS',
      'more than 1 needs a postgres:// DATABASE_URL, because one process serves SQLite and memory',
    );
  if (redis === undefined)
    throw wrong(
      'WORKERS',
      'more than 1 needs REDIS_URL, because each worker would count rate limits by itself',
    );
  return count;
}

function trustProxy(text: string | undefined): false | number | string[] {
  try {
    return parseTrustProxy(text);
  } catch {
    const expected = 'the number of proxies in front, or their addresses or subnets';
    throw unexpected('TRUST_PROXY', expected, text ?? '');
  }
}

function embedAncestors(text: string | undefined): string[] | undefined {
  const entries = text?.split(',').map((part) => part.trim());
  try {
    frameAncestors(entries);
  } catch {
    const expected = "origins such as https://example.com, separated by commas, or * or 'self'";
    throw unexpected('EMBED_ANCESTORS', expected, text ?? '');
  }
  return entries;
}

function flag(name: string, text: string | undefined): boolean {
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw unexpected(name, '0 or 1', text);
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === text);
  if (level === undefined) throw unexpected('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, text);
  return level;
}
