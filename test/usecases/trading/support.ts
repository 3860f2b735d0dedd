import { memoryStorage } from '../../../adapters/storage/memory';
import { resolveOptions } from '../../../src/config';
import type { PredictionMarketOptions } from '../../../src/prediction-market-options';
import type { Address, Candle } from '../../../src/domain/types';
import type { PublishedEvent } from '../../../src/domain/events';
import type { AuditFindings, Storage } from '../../../src/ports/storage';
import { silentLogger } from '../../../src/ports/logger';
import type { CreateMarketCommand, PlaceTradeCommand } from '../../../src/usecases/commands';
import type { OperatorContext } from '../../../src/usecases/context';
import { createMarket } from '../../../src/usecases/markets/create-market';
import { deposit } from '../../../src/usecases/accounts/deposit';
import { createAlarms } from '../../../src/usecases/alarms';
import { createOracleAnswerCache } from '../../../src/usecases/resolution/oracle-answer-cache';
import { createMarketLookup } from '../../../src/usecases/markets/market-lookup';
import { eventsOfFact } from '../../../src/events/events-of-fact';
import type { MarketDetailView } from '../../../src/views/market';

export const START = Date.UTC(2027, 0, 1);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const USD = 1_000_000n;

/** An address without letters reads the same in EIP-55 and in lower case. */
export function wallet(number: number): Address {
  return `0x${'4'.repeat(34)}${String(number).padStart(6, '0')}`;
}
export const CREATOR = wallet(999);

export interface World {
  context: OperatorContext;
  storage: Storage;
  wakeUps: () => number;
  toldFacts: () => number;
  advance: (milliseconds: number) => void;
  fund: (address: Address, usd: number) => Promise<void>;
  openMarket: (change?: Partial<CreateMarketCommand>) => Promise<MarketDetailView>;
  events: () => Promise<PublishedEvent[]>;
  audit: () => Promise<AuditFindings>;
}

export async function createWorld(
  options: Partial<PredictionMarketOptions> = {},
  wrap: (storage: Storage) => Storage = (storage) => storage,
  plain: Storage = memoryStorage(),
): Promise<World> {
  await plain.open({ logger: silentLogger });
  const storage = wrap(plain);
  const time = { now: START };
  const events = { appended: 0, facts: 0 };
  const context = contextOn(storage, options, time, events);
  await approve(plain, CREATOR);
  let deposits = 0;
  return {
    context,
    storage: plain,
    wakeUps: () => events.appended,
    toldFacts: () => events.facts,
    advance: (milliseconds) => {
      time.now += milliseconds;
    },
    fund: async (address, usd) => {
      deposits += 1;
      await deposit(context, { address, amount: BigInt(usd) * USD, reference: `funding ${deposits}` });
    },
    openMarket: (change) => createMarket(context, { ...marketCommand(), ...change }),
    events: async () => {
      const rows = await plain.read((reader) => reader.events.after(0, 100_000));
      return rows.flatMap(eventsOfFact);
    },
    audit: () => plain.snapshot((reader) => reader.audit.run()),
  };
}

function contextOn(
  storage: Storage,
  options: Partial<PredictionMarketOptions>,
  time: { now: number },
  events: { appended: number; facts: number },
): OperatorContext {
  const never = (): Promise<never> => Promise.reject(new Error('Not asked in these tests'));
  const random = { calls: 0 };
  const resolved = resolveOptions({
    oracle: { name: 'none', ask: never },
    facilitator: { name: 'none', verify: never, settle: never, lookup: never, supported: never },
    payTo: wallet(1000),
    clock: { now: () => time.now },
    random: {
      bytes: (length) => {
        random.calls += 1;
        return new Uint8Array(length).fill(random.calls);
      },
    },
    ...options,
    storage,
  });
  return {
    ...resolved,
    operator: 'test',
    clockIsSteady: () => true,
    alarms: createAlarms(resolved),
    oracleAnswerCache: createOracleAnswerCache(resolved),
    markets: createMarketLookup(storage),
    eventsAppended: (facts = 1) => {
      events.appended += 1;
      events.facts += facts;
    },
    webhooksChanged: () => undefined,
    marketsDue: () => undefined,
    keyRevoked: () => undefined,
  };
}

export async function approve(storage: Storage, address: Address): Promise<void> {
  await storage.transaction((transaction) =>
    transaction.creators.save({
      address,
      status: 'approved',
      displayName: 'Ada',
      statement: null,
      appliedAt: START,
      approvedAt: START,
      rejectedReason: null,
      updatedAt: START,
    }),
  );
}

export function marketCommand(): CreateMarketCommand {
  return {
    creator: CREATOR,
    question: 'Will it rain tomorrow?',
    description: null,
    resolutionCriteria: 'The weather service says so.',
    resolveDate: START + DAY,
    category: 'science',
  };
}

export type OrderChange = Partial<PlaceTradeCommand> & Pick<PlaceTradeCommand, 'wallet'>;

export function order(change: OrderChange): PlaceTradeCommand {
  return {
    market: '1',
    side: 'YES',
    action: 'buy',
    size: { amount: 10n * USD },
    bounds: {},
    idempotencyKey: null,
    ...change,
  };
}

export async function outcomeOf<T>(promise: Promise<T>): Promise<{ value: T } | { code: string }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : String(error) };
  }
}

export async function candlesOf(storage: Storage, lengthMs: number, marketId = 1): Promise<Candle[]> {
  const range = { from: 0, to: START + 1000 * DAY, limit: 10_000 };
  return storage.read((reader) => reader.candles.list({ marketId, lengthMs, ...range }));
}
