import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryStorage } from '../../../adapters/storage/memory';
import { resolveOptions } from '../../../src/config';
import { walletAccount } from '../../../src/domain/ledger';
import type { Address, Market, MarketStatus, Position, Side, TradeAction } from '../../../src/domain/types';
import type { Logger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { audit } from '../../../src/usecases/accounts/audit';
import { createMarket } from '../../../src/usecases/markets/create-market';
import { deposit } from '../../../src/usecases/accounts/deposit';
import type { OperatorContext } from '../../../src/usecases/context';
import { createAlarms } from '../../../src/usecases/alarms';
import { createOracleAnswerCache } from '../../../src/usecases/resolution/oracle-answer-cache';
import { createMarketLookup } from '../../../src/usecases/markets/market-lookup';
import { runDueMarkets, type DueMarketsOptions } from '../../../src/usecases/resolution/run-due-markets';
import { createTradeQueue, type TradeQueue } from '../../../src/usecases/trading/trade-queue';
import { fakeFacilitator } from '../../../testing/fake-facilitator';
import { fakeOracle, type FakeOracle } from '../../../testing/fake-oracle';
import { seededRandom } from '../../../testing/seeded-random';
import { testClock, type TestClock } from '../../../testing/test-clock';

export const USD = 1_000_000n;
export const HOUR = 3_600_000;
export const CREATOR = addressOf(0xc0ffee);
export const ALICE = addressOf(0xa11ce);
export const BOB = addressOf(0xb0b);

export function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export interface Instance {
  context: OperatorContext;
  oracle: FakeOracle;
  queue: TradeQueue;
  logged: string[];
  hints: { events: number; due: number };
  asked(): Promise<void>;
}

export interface World extends Instance {
  storage: Storage;
  clock: TestClock;
  instance(storage?: Storage): Instance;
  open(question?: string): Promise<number>;
  fund(wallet: Address, usd: bigint): Promise<void>;
  trade(
    marketId: number,
    wallet: Address,
    side: Side,
    shares: bigint | 'all',
    action?: TradeAction,
  ): Promise<void>;
  market(id: number): Promise<Market>;
  positions(marketId: number, wallets: readonly Address[]): Promise<Position[]>;
  balance(wallet: Address): Promise<bigint>;
  statuses(): Promise<Partial<Record<MarketStatus, { markets: number; exposure: bigint }>>>;
  kinds(marketId: number): Promise<string[]>;
  expectCleanAudit(): Promise<void>;
}

export async function tradedMarket(storage?: Storage): Promise<{ world: World; id: number }> {
  const world = await createWorld(storage);
  const id = await world.open();
  await world.fund(ALICE, 100n);
  await world.fund(BOB, 100n);
  await world.trade(id, ALICE, 'YES', 20n * USD);
  await world.trade(id, BOB, 'NO', 10n * USD);
  return { world, id };
}

export async function closedMarket(storage?: Storage): Promise<{ world: World; id: number }> {
  const made = await tradedMarket(storage);
  made.world.clock.advance(HOUR);
  const { marketsLeased, roundsBegun } = await runDueMarkets(made.world.context);
  expect({ marketsLeased, roundsBegun }).toEqual({ marketsLeased: 1, roundsBegun: 0 });
  return made;
}

export async function createWorld(storage = memoryStorage()): Promise<World> {
  await storage.open({ logger: recorder([]) });
  const clock = testClock('2030-01-01T00:00:00Z');
  const instance = (over = storage): Instance => createInstance(over, clock);
  const first = instance();
  const { context, queue } = first;
  let made = 0;
  await storage.transaction((tx) =>
    tx.creators.save({
      address: CREATOR,
      status: 'approved',
      displayName: 'Ada',
      statement: null,
      appliedAt: null,
      approvedAt: 0,
      rejectedReason: null,
      updatedAt: 0,
    }),
  );
  return {
    ...first,
    storage,
    clock,
    instance,
    async open(question = 'Will it rain?') {
      const view = await createMarket(context, {
        creator: CREATOR,
        question,
        description: null,
        resolutionCriteria: 'Look out of the window.',
        resolveDate: clock.now() + HOUR,
        category: 'science',
      });
      return view.id;
    },
    async fund(address, usd) {
      made += 1;
      await deposit(context, { address, amount: usd * USD, reference: `fund-${made}` });
    },
    async trade(marketId, wallet, side, shares, action = 'buy') {
      const size = shares === 'all' ? shares : { shares };
      const command = { market: String(marketId), wallet, side, action, size, bounds: {} };
      await queue.place({ ...command, idempotencyKey: null });
    },
    async market(id) {
      const [market] = await storage.read((reader) => reader.markets.findByIds([id]));
      if (market === undefined) throw new Error(`There is no market ${id}`);
      return market;
    },
    positions: (marketId, wallets) =>
      storage.transaction((tx) => tx.positions.find(wallets.map((wallet) => ({ marketId, wallet })))),
    async balance(wallet) {
      const account = await storage.read((reader) => reader.accounts.find(walletAccount(wallet)));
      return account?.balance ?? 0n;
    },
    async statuses() {
      const totals = await storage.transaction((tx) => tx.markets.lockTotals());
      const found = totals.filter(({ markets }) => markets !== 0);
      return Object.fromEntries(
        found.map(({ status, markets, exposure }) => [status, { markets, exposure }]),
      );
    },
    async kinds(marketId) {
      const events = await storage.read((reader) => reader.events.after(0, 100_000));
      return events
        .filter((event) => event.marketId === marketId)
        .map(({ marketSeq, kind }) => `${marketSeq} ${kind}`);
    },
    async expectCleanAudit() {
      const { ok, differences } = await audit(context);
      expect({ ok, differences }).toEqual({ ok: true, differences: [] });
    },
  };
}

function createInstance(storage: Storage, clock: TestClock): Instance {
  const logged: string[] = [];
  const hints = { events: 0, due: 0 };
  const oracle = fakeOracle();
  const resolved = resolveOptions({
    storage,
    oracle,
    facilitator: fakeFacilitator(),
    payTo: addressOf(1),
    clock,
    random: seededRandom(),
    logger: recorder(logged),
  });
  const context: OperatorContext = {
    ...resolved,
    operator: 'test',
    clockIsSteady: () => true,
    alarms: createAlarms(resolved),
    oracleAnswerCache: createOracleAnswerCache(resolved),
    markets: createMarketLookup(storage),
    eventsAppended: () => void (hints.events += 1),
    webhooksChanged: () => undefined,
    marketsDue: () => void (hints.due += 1),
    keyRevoked: () => undefined,
  };
  async function asked(): Promise<void> {
    while (oracle.questions.length === 0) await nextTurn();
  }
  return { context, oracle, queue: createTradeQueue(context), logged, hints, asked };
}

function recorder(logged: string[]): Logger {
  const nothing = (): void => undefined;
  const note = (_: object, message: string): void => void logged.push(message);
  return { debug: nothing, info: nothing, warn: note, error: note };
}

export async function runUntilQuiet(context: OperatorContext, options?: DueMarketsOptions): Promise<number> {
  for (let steps = 0; ;) {
    const { marketsLeased, allRoundsEnded } = await runDueMarkets(context, options);
    await allRoundsEnded;
    steps += marketsLeased;
    if (marketsLeased === 0) return steps;
  }
}
