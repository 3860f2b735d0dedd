/** The standalone server as an Express app: the market, the operators' routes, the pages, logs and metrics. */
import type { Express } from 'express';
import type { DestinationStream, Logger } from 'pino';
import {
  createPredictionMarket,
  memoryRateLimit,
  type Clock,
  type PredictionMarket,
  type RateLimitBackend,
  type Storage,
} from 'express-prediction-market';
import { redisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { unnamedToken } from './admin-token';
import type { FoundBooks } from './banner';
import { createHostApp } from './host-app';
import { createLogger } from './logger';
import type { Environment } from './checks';
import { createMetrics, type Metrics } from './metrics';
import { createOracle } from './oracle';
import { secretsOfOracle } from './oracle-settings';
import { createPayments, type Payments } from './payments';
import { namingSettings, playMoneyBesideReal } from './play-books';
import { fundPlayTreasury } from './play-money';
import { secretsOf } from './payment-settings';
import { createSamples } from './sample/samples';
import { createServerLock } from './server-lock';
import { readSettings, type Settings } from './settings';
import { isFirstMigration, openedElsewhere, openStorage, readAtOpening } from './storage';
import type { Figures } from './worker-messages';

export interface Standalone {
  app: Express;
  market: PredictionMarket;
  payments: Payments;
  settings: Settings;
  /** The token of operators without a name, from ADMIN_TOKEN or generated. `null`: all tokens have names. */
  adminToken: string | null;
  logger: Logger;
  /** What the start has found in the database. Complete after `start()`. */
  books: FoundBooks;
  /** Texts that must not appear in logs or output. */
  secrets: readonly string[];
  /** The metrics of this process. The primary process combines those of all workers. */
  figures(): Promise<Figures>;
  /** Opens all parts. On play money it funds the treasury of empty books. */
  start(): Promise<void>;
  /** Ends all that `start` began, and closes the market. */
  close(): Promise<void>;
  /**
   * From now on every answer asks the client to close the connection. The server calls this while it drains.
   */
  startDraining(): void;
}

export interface StandaloneOptions {
  /** The stream for log lines. Default: standard output. */
  logDestination?: DestinationStream;
  /**
   * The metrics of all workers of the server, `null` if a worker did not answer. Default: the metrics of this process.
   */
  scrape?: () => Promise<string | null>;
  /** The clock of the market and of the pages. Default: the clock of the machine. */
  clock?: Clock;
}

const TWO_SERVERS =
  'another server uses this database file, which slows down both: stop one of them, or use Postgres for several servers';

/**
 * Builds all parts of the server and opens none. `start()` opens them. Throws `SettingsError` for a wrong
 * value.
 */
export function createApp(environment: Environment, options: StandaloneOptions = {}): Standalone {
  const settings = readSettings(environment);
  const secrets = [...secretsOf(settings), ...secretsOfOracle(settings)];
  const { logDestination: destination, scrape, clock } = options;
  const logger = createLogger(settings.logLevel, {
    secrets,
    withPid: settings.workers > 1,
    ...(destination !== undefined && { destination }),
  });
  const adminToken = unnamedToken(settings);
  const metrics = createMetrics(scrape);
  const payments = createPayments(settings, logger);
  const books: FoundBooks = { playMoney: null, isNew: false, hasMarkets: false };
  const opened = openStorage(settings.storage, {
    onMigration: ({ name }) => (books.isNew ||= isFirstMigration(name)),
  });
  const serverLock = createServerLock(settings.storage);
  const storage = readAtOpening(opened, async () => {
    books.playMoney = await playMoneyBesideReal(settings, opened);
  });
  const parts = { settings, payments, metrics };
  const rateLimit = createRateLimit(settings);
  const market = createMarket({
    ...parts,
    storage,
    rateLimit,
    logger,
    ...(clock !== undefined && { clock }),
  });
  const samples = createSamples({
    ...{ settings, market, storage, logger },
    // The second market uses the storage that is open already. It logs only warnings and errors, so its start
    // prints nothing.
    marketAt: (clock) =>
      createMarket({
        ...parts,
        storage: openedElsewhere(storage),
        rateLimit: memoryRateLimit(),
        logger: logger.child({}, { level: 'warn' }),
        clock,
      }),
  });
  metrics.observeMarket(market);
  metrics.observeRateLimit(rateLimit);
  const { app, startDraining } = createHostApp({
    settings,
    adminToken,
    market,
    samples,
    metrics,
    rateLimit,
    logger,
    clock,
  });
  return {
    app,
    market,
    payments,
    settings,
    adminToken,
    books,
    logger,
    secrets,
    figures: metrics.figures,
    async start() {
      // The payments are checked while the market starts, so the check hardly delays the start.
      const checked = payments.warnIfAway();
      await market.start().catch((error: unknown) => {
        throw namingSettings(error, settings);
      });
      await checked;
      if (await serverLock.take()) logger.warn({}, TWO_SERVERS);
      if (settings.facilitator.kind === 'development') await fundPlayTreasury(market);
      books.hasMarkets = (await market.listMarkets({ limit: 1 })).total > 0;
    },
    async close() {
      await serverLock.stopAsking();
      await samples.stop();
      await market.close();
      await serverLock.release();
    },
    startDraining,
  };
}

const createRateLimit = ({ redisUrl }: Settings): RateLimitBackend =>
  redisUrl === undefined ? memoryRateLimit() : redisRateLimit({ url: redisUrl });

interface MarketParts {
  settings: Settings;
  payments: Payments;
  metrics: Metrics;
  storage: Storage;
  rateLimit: RateLimitBackend;
  logger: Logger;
  /** Default: the clock of the machine. */
  clock?: Clock;
}

function createMarket({
  settings,
  payments,
  metrics,
  storage,
  rateLimit,
  logger,
  clock,
}: MarketParts): PredictionMarket {
  const { countCommit, countRound } = metrics;
  return createPredictionMarket({
    storage,
    ...(clock !== undefined && { clock }),
    oracle: createOracle(settings.oracle),
    oracleRules: { minVoters: settings.minVoters },
    challengePeriodMs: settings.challengePeriodMs,
    ...payments.options,
    payTo: settings.payTo,
    ...(settings.baseUrl !== undefined && { baseUrl: settings.baseUrl }),
    network: settings.network,
    ...(settings.asset !== undefined && { asset: settings.asset }),
    ...(settings.assetName !== undefined && { assetName: settings.assetName }),
    ...(settings.assetVersion !== undefined && { assetVersion: settings.assetVersion }),
    rateLimit,
    ...settings.market,
    exposureLimit: settings.exposureLimit,
    ...(settings.creatorExposureLimit !== null && { creatorExposureLimit: settings.creatorExposureLimit }),
    resolutionIntervalMs: settings.resolutionIntervalMs,
    challengeTtlSeconds: settings.challengeTtlSeconds,
    addressRateLimit: settings.addressRateLimit,
    failedAuthLimit: settings.failedAuthLimit,
    eventRetentionDays: settings.eventRetentionDays,
    consumerRetentionDays: settings.consumerRetentionDays,
    webhooks: { allowPrivate: settings.webhookAllowPrivate },
    onCommit: countCommit,
    onOracleRound: countRound,
    logger,
  });
}
