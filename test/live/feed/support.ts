import { memoryStorage } from '../../../adapters/storage/memory';
import { SCOPES, type Address, type ApiKey, type Market, type Scope } from '../../../src/domain/types';
import type { NewFact } from '../../../src/domain/events';
import { balanceFact, marketFact, tradeFact } from '../../../src/events/facts';
import { createEmitter } from '../../../src/live/emitter';
import { createFeed, type LiveFeed } from '../../../src/live/feed/live-feed';
import type { FeedConnection, FeedReader, Resync, Subscribed } from '../../../src/live/feed/types';
import { createRelay, type Relay } from '../../../src/live/relay';
import type { Storage } from '../../../src/ports/storage';
import { seededRandom } from '../../../testing/seeded-random';
import { manualTimers, type ManualTimers } from '../../jobs/manual-timers';
import { ALICE, createWorld, CREATOR, type World } from '../../usecases/resolution/world';

export interface Message {
  channel: string;
  event: string;
  seq: number;
  prev?: number | null;
  marketSeq: number | null;
  ts: string;
  data: Record<string, unknown>;
}

export type Told =
  | { kind: 'subscribed'; subscribed: Subscribed }
  | { kind: 'resync'; resync: Resync }
  | { kind: 'message'; message: Message }
  | { kind: 'scope-lost'; channels: readonly string[] }
  | { kind: 'end'; reason: string };

export class NotingReader implements FeedReader {
  readonly told: Told[] = [];
  #open: (() => void) | null = null;
  #gate: Promise<void> = Promise.resolve();

  deliver(batch: Parameters<FeedReader['deliver']>[0]): void {
    const texts = batch.messages.map((each) => (batch.conflate ? each.conflatedText : each.text));
    for (const text of texts) this.told.push({ kind: 'message', message: JSON.parse(text) as Message });
  }
  pause(): void {
    this.#gate = new Promise((resolve) => (this.#open = resolve));
  }
  resume(): void {
    this.#open?.();
    this.#gate = Promise.resolve();
  }
  ready(): Promise<void> {
    return this.#gate;
  }
  resync(resync: Resync): void {
    this.told.push({ kind: 'resync', resync });
  }
  scopeLost(channels: readonly string[]): void {
    this.told.push({ kind: 'scope-lost', channels });
  }
  end(reason: string): void {
    this.told.push({ kind: 'end', reason });
  }
  messages(): Message[] {
    return this.told.flatMap((told) => (told.kind === 'message' ? [told.message] : []));
  }
  /** For example `trades 5<3`: the channel, `seq` and `prev`. */
  lines(): string[] {
    return this.messages().map(({ channel, seq, prev }) => `${channel} ${seq}<${String(prev)}`);
  }
  kinds(): string[] {
    return this.told.map(({ kind }) => kind);
  }
  subscribed(): Subscribed {
    const found = this.told.findLast((told) => told.kind === 'subscribed');
    if (found?.kind !== 'subscribed') throw new Error('nothing is subscribed');
    return found.subscribed;
  }
}

export interface Instance {
  feed: LiveFeed;
  relay: Relay;
  timers: ManualTimers;
  logged: string[];
  run(): Promise<void>;
}

export interface FeedWorld {
  world: World;
  storage: Storage;
  instance(storage?: Storage, readersPerTurn?: number): Promise<Instance>;
  commit(...rows: NewFact[]): Promise<void>;
  trade(marketId: number): NewFact;
  balance(wallet?: Address): NewFact;
  opened(marketId: number): NewFact;
  head(): Promise<number>;
  epoch(): Promise<string>;
}

export async function createFeedWorld(storage: Storage = memoryStorage()): Promise<FeedWorld> {
  const world = await createWorld(storage);
  const markets: Market[] = [];
  for (const question of ['First?', 'Second?']) markets.push(await world.market(await world.open(question)));
  const marketSeqs = new Map(markets.map(({ id }) => [id, 1]));
  const next = (id: number) => {
    const market = markets.find((each) => each.id === id);
    if (market === undefined) throw new Error(`There is no market ${id}`);
    const marketSeq = (marketSeqs.get(id) ?? 0) + 1;
    marketSeqs.set(id, marketSeq);
    return { ...market, marketSeq };
  };
  let trades = 0;
  const funds = { balance: 5_000_000n, reserved: 0n };
  return {
    world,
    storage,
    async instance(over = storage, readersPerTurn = 1_000) {
      const logged: string[] = [];
      const nothing = (): void => undefined;
      const note = (_: object, message: string): void => void logged.push(message);
      const logger = { debug: nothing, info: nothing, warn: note, error: note };
      const timers = manualTimers();
      const context = { ...world.context, storage: over, logger, random: seededRandom(1) };
      const wakeRelay = (): void => relay.wake();
      const feed = createFeed(context, { channelLimit: 1_000, wakeRelay, timers, readersPerTurn });
      const relay = createRelay(context, createEmitter(logger), feed);
      await relay.start();
      const run = async (): Promise<void> => {
        while (await relay.run());
      };
      return { feed, relay, timers, logged, run };
    },
    commit: (...rows) => storage.transaction((transaction) => transaction.events.append(rows)),
    trade(marketId) {
      trades += 1;
      return tradeFact({
        trade: {
          id: trades,
          type: 'trade',
          marketId,
          wallet: ALICE,
          side: 'YES',
          action: 'buy',
          shares: 2_000_000n,
          notional: 1_000_000n,
          fee: 5_000n,
          totalCost: 1_005_000n,
          realizedPnl: 0n,
          yesPriceAfter: 510_000,
          createdAt: world.clock.now(),
        },
        market: next(marketId),
        trader: funds,
        creator: funds,
      });
    },
    balance: (wallet = ALICE) => balanceFact(wallet, funds, 'deposit', world.clock.now()),
    opened: (marketId) => marketFact('market.created', next(marketId), world.clock.now()),
    head: () => storage.read((reader) => reader.events.head()),
    epoch: async () => (await storage.read((reader) => reader.settings.get('event-epoch'))) ?? '',
  };
}

export async function subscribe(
  connection: FeedConnection,
  reader: NotingReader,
  channels: string[],
  since: { epoch: string; seq: number } | null = null,
  conflate = false,
): Promise<void> {
  await connection.subscribe({ channels, since, conflate }, (subscribed) => {
    reader.told.push({ kind: 'subscribed', subscribed });
  });
}

let keys = 0;
export async function insertKey(
  storage: Storage,
  wallet: Address = ALICE,
  scopes: readonly Scope[] = SCOPES,
): Promise<ApiKey> {
  keys += 1;
  const hash = keys.toString(16).padStart(64, '0');
  return storage.transaction((transaction) =>
    transaction.apiKeys.insert({
      wallet,
      hash,
      prefix: 'pmk_...',
      label: null,
      scopes: [...scopes],
      rateLimit: 60,
      windowOf: null,
      createdAt: 0,
      lastUsedAt: null,
      revokedAt: null,
    }),
  );
}

export { ALICE, CREATOR };
