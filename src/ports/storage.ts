/**
 * The storage port: everything that outlives a process.
 *
 * Contract (the published conformance suite holds every sentence):
 * - `transaction` is atomic and isolated: all of its writes or none, invisible to others until it has
 *   committed; what `work` throws rolls back and is rethrown. Two transactions that lock the same rows
 *   run one after the other, and the second sees what the first committed. A transaction that the
 *   database aborts for concurrency is run again whole, so `work` must have no effect besides its writes.
 * - Inside `work` only the given transaction is used, never `read` or another `transaction`. Calls that do
 *   not depend on each other may be made at once, without waiting for the earlier ones.
 * - Lock order: markets by id, then accounts by id.
 * - `read` sees committed data only, each statement for itself; `snapshot` sees one moment throughout.
 * - What has committed is seen by every handle at once, and is still there when the data are opened again, after a `close` or
 *   a crash.
 * - What was written is read as it was written, in every field. Callers and storage share no objects.
 * - Integers of money and shares are exact over the whole range of a signed 64-bit integer.
 * - Lists are ordered as said, never by accident.
 * - A storage that is away rejects with code SERVICE_UNAVAILABLE within 5 seconds. The same code tells
 *   of a commit whose outcome is unknown.
 */
import type {
  Account,
  AccountChange,
  AccountId,
  Address,
  ApiKey,
  Candle,
  Challenge,
  Creator,
  CreatorStatus,
  Deposit,
  Market,
  MarketStatus,
  NewTrade,
  Position,
  Posting,
  Scope,
  Side,
  Trade,
} from '../domain/types';
import type { HouseRisk } from '../domain/house';
import type { Withdrawal } from '../domain/withdrawals';
import type { NewOutboxEvent, OutboxEvent } from '../domain/events';
import type { PaymentKey, PaymentRecord, PaymentStatus } from '../domain/payments';
import type { Logger } from './logger';

export interface Storage {
  /** For logs: `memory`, `sqlite`, `postgres`, yours. */
  readonly name: string;
  /**
   * Which call gives events their `seq`: `append` itself, or `sequence`, which the event relay calls after the commit (`relay`).
   */
  readonly eventNumbering: 'append' | 'relay';
  /** Connects and migrates. May be called once. */
  open(context: { logger: Logger }): Promise<void>;
  /** Waits for what is running, then lets go. Calls after it reject with SERVICE_UNAVAILABLE. */
  close(): Promise<void>;
  /** Resolves when a query can be answered. */
  ping(): Promise<void>;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  snapshot<T>(work: (reader: Reader) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface SnapshotOptions {
  /**
   * `audit`: it reads everything and may take minutes. An adapter whose connections are few gives it one of its own, so that
   * nothing else waits for it, and runs one at a time: a second one that does not get its turn within 5 seconds is refused
   * with SERVICE_UNAVAILABLE.
   */
  purpose?: 'audit';
}

export interface TransactionOptions {
  /**
   * `trades`: the writer lane's, of which a process runs one at a time. An adapter whose connections are few keeps one for
   * it, so that other work cannot starve it.
   */
  purpose?: 'trades';
}

export interface Reader {
  readonly settings: SettingsReader;
  readonly apiKeys: ApiKeyReader;
  readonly creators: CreatorReader;
  readonly markets: MarketReader;
  readonly accounts: AccountReader;
  readonly entries: EntryReader;
  readonly positions: PositionReader;
  readonly trades: TradeReader;
  readonly candles: CandleReader;
  readonly events: EventReader;
  readonly payments: PaymentReader;
  readonly withdrawals: WithdrawalReader;
  readonly audit: AuditReader;
}

export interface Transaction extends Reader {
  readonly settings: SettingsRepository;
  readonly challenges: ChallengeRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly creators: CreatorRepository;
  readonly markets: MarketRepository;
  readonly accounts: AccountRepository;
  readonly entries: EntryRepository;
  readonly positions: PositionRepository;
  readonly trades: TradeRepository;
  readonly candles: CandleRepository;
  readonly events: EventRepository;
  readonly idempotency: IdempotencyRepository;
  readonly deposits: DepositRepository;
  readonly leases: LeaseRepository;
  readonly payments: PaymentRepository;
  readonly withdrawals: WithdrawalRepository;
}

export interface Page {
  limit: number;
  offset: number;
}

// --- settings: small facts that all instances share (the event epoch, secrets) ---

export interface SettingsReader {
  get(name: string): Promise<string | null>;
}
export interface SettingsRepository extends SettingsReader {
  /** Stores `value` unless the name is taken; returns what is stored. */
  putIfAbsent(name: string, value: string): Promise<string>;
}

// --- challenges ---

export interface ChallengeRepository {
  insert(challenge: Challenge): Promise<void>;
  /** Takes the challenge out: the first caller gets it, every later one (and an unknown nonce) `null`. Expiry is the caller's to judge. */
  consume(nonce: string): Promise<Challenge | null>;
  /** Removes those that expired before the instant, at most `limit`; returns how many went. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

// --- API keys ---

export interface ApiKeyReader {
  /** Keys that are not revoked, in any order; unknown hashes are left out. */
  findActiveByHashes(hashes: readonly string[]): Promise<ApiKey[]>;
  /** By id, ascending. */
  listActive(wallet: Address): Promise<ApiKey[]>;
  find(id: number): Promise<ApiKey | null>;
}
export type NewApiKey = Omit<ApiKey, 'id'>;
export interface ApiKeyRepository extends ApiKeyReader {
  insert(key: NewApiKey): Promise<ApiKey>;
  /** Revokes an active key of this wallet and returns it as it was; `null` if there is none. Of several at once one succeeds. */
  revoke(id: number, wallet: Address, now: number): Promise<ApiKey | null>;
  /** Changes an active key; `null` if there is none. */
  update(id: number, change: { rateLimit?: number; scopes?: Scope[] }): Promise<ApiKey | null>;
  /** Moves `lastUsedAt` forward, never back. */
  touch(uses: readonly { id: number; usedAt: number }[]): Promise<void>;
}

// --- creators ---

export interface CreatorReader {
  find(address: Address): Promise<Creator | null>;
  /** Newest change first (`updatedAt`, then address ascending). */
  list(query: Page & { status?: CreatorStatus }): Promise<{ creators: Creator[]; total: number }>;
}
export interface CreatorRepository extends CreatorReader {
  /** As `find`, and holds the row until the end of the transaction. */
  lock(address: Address): Promise<Creator | null>;
  /** Inserts or replaces. */
  save(creator: Creator): Promise<void>;
}

// --- markets ---

/** A market as the outside sees it: with the display name of its creator. */
export interface MarketRecord extends Market {
  creatorDisplayName: string | null;
}

export type MarketSort = 'volume_desc' | 'created_desc' | 'resolve_asc';

export interface MarketListQuery extends Page {
  /**
   * `open` leaves out markets whose resolve date has come (they await the oracle); `resolving` has them.
   * Judged by `now`.
   */
  status?: MarketStatus;
  /** Lower case. An unknown one matches nothing. */
  category?: string;
  /** Ties: volume by newest id first, resolve date by lowest id first. */
  sort: MarketSort;
  now: number;
}

export interface MarketReader {
  /** In any order; unknown ids are left out. */
  findByIds(ids: readonly number[]): Promise<MarketRecord[]>;
  findBySlugs(slugs: readonly string[]): Promise<MarketRecord[]>;
  /** `total` counts all matches. Costs the page, not the table: totals come from counters kept at write time. */
  list(query: MarketListQuery): Promise<{ markets: MarketRecord[]; total: number }>;
  /** All totals, in any order. Waits for nobody: what is being written counts once it is committed. */
  totals(): Promise<MarketTotal[]>;
  /** What `addRisk` has added up for a creator, by liquidity parameter, ascending. */
  risksOf(creator: Address): Promise<HouseRisk[]>;
}

export interface MarketTotal {
  status: MarketStatus;
  category: string;
  markets: number;
  /** Sum of the house's worst losses (b ln 2), micro-USD. */
  exposure: bigint;
}

export interface MarketRepository extends MarketReader {
  /** A fresh id; gaps are allowed. */
  nextId(): Promise<number>;
  /** `false`, and nothing written, when the slug is taken. Does not touch the totals. */
  insert(market: Market): Promise<boolean>;
  /** Locks and reads; ascending by id; unknown ids are left out. */
  lock(ids: readonly number[]): Promise<Market[]>;
  /** Writes everything that changes in a market's life (slug, texts, creator and dates of creation do not). */
  update(markets: readonly Market[]): Promise<void>;
  /**
   * Takes up to `limit` markets with `dueAt <= now` that nobody else is taking at this moment, earliest
   * first: sets `dueAt = leaseUntil`, raises `leaseToken`, and returns them as they are then.
   */
  leaseDue(query: { now: number; leaseUntil: number; limit: number }): Promise<Market[]>;
  /** As `totals`, held until the end of the transaction. */
  lockTotals(): Promise<MarketTotal[]>;
  /** Adds to the totals; creates rows as needed. */
  addTotals(changes: readonly MarketTotal[]): Promise<void>;
  /** Adds to `risksOf`; creates rows as needed. Made after `lockTotals` and `addTotals` in every transaction that makes both. */
  addRisk(change: HouseRisk): Promise<void>;
}

// --- accounts and the ledger ---

export interface AccountReader {
  find(id: AccountId): Promise<Account | null>;
}
export interface AccountRepository extends AccountReader {
  /** Creates the missing ones empty, locks all in ascending order of id, and returns them in that order. Wallets, treasury, external; pools live on the market. */
  lock(ids: readonly AccountId[], now: number): Promise<Account[]>;
  /** Adds to each account (one change an account), creating it as needed. Rejects if a wallet would fall below zero, or below what is reserved. */
  apply(changes: readonly AccountChange[], now: number): Promise<void>;
}

export interface EntryReader {
  /** The entries of one posting, in the order in which they were written; `null` if there is none. */
  findPosting(reference: string): Promise<Posting | null>;
}
export interface EntryRepository extends EntryReader {
  /** Rejects a posting that does not sum to zero, and a reference that exists. */
  insert(postings: readonly Posting[]): Promise<void>;
}

// --- positions ---

export interface PositionRecord extends Position {
  market: MarketRecord;
}
export type PositionStatus = 'open' | 'closed' | 'all';

export interface PositionReader {
  /**
   * Open: shares are held. Newest market first (market id descending, YES before NO). `total` from the account's counters.
   */
  list(
    query: Page & { wallet: Address; status: PositionStatus },
  ): Promise<{ positions: PositionRecord[]; total: number }>;
  /**
   * Open positions in the order of `list`, from right behind the given place on (`null`: from the first), at most `limit`. Walks
   * through any number of them at the cost of each one.
   */
  listOpenAfter(query: {
    wallet: Address;
    after: { marketId: number; side: Side } | null;
    limit: number;
  }): Promise<PositionRecord[]>;
}
export interface PositionRepository extends PositionReader {
  /** Positions of these wallets on these markets, both sides, those that exist. The caller holds the market's lock. */
  find(keys: readonly { marketId: number; wallet: Address }[]): Promise<Position[]>;
  /** Inserts or replaces by (market, wallet, side). */
  save(positions: readonly Position[]): Promise<void>;
  /** Positions of a market that have shares and are not settled, by wallet and side, at most `limit`. */
  listUnsettled(marketId: number, limit: number): Promise<Position[]>;
}

// --- trades ---

export interface TradeReader {
  /** Newest id first; settlements left out. */
  listByMarket(query: Page & { marketId: number; side?: Side }): Promise<Trade[]>;
  /** Trades and settlements, newest id first. `total` from the account's counter. */
  listByWallet(
    query: Page & { wallet: Address },
  ): Promise<{ trades: (Trade & { market: MarketRecord })[]; total: number }>;
}
export interface TradeRepository extends TradeReader {
  /** Returns the ids in the order given, ascending. A second settlement of one (market, wallet, side) is rejected. */
  insert(trades: readonly NewTrade[]): Promise<number[]>;
}

// --- candles ---

export interface CandleReader {
  /** Stored buckets with from <= time < to, ascending; the newest `limit` of them. */
  list(query: {
    marketId: number;
    resolutionMs: number;
    from: number;
    to: number;
    limit: number;
  }): Promise<Candle[]>;
  /** The newest bucket that starts before the instant. */
  lastBefore(query: { marketId: number; resolutionMs: number; time: number }): Promise<Candle | null>;
  /** Volume of each market in the stored buckets with time >= from, by market id; markets without any are left out. */
  volumes(query: {
    marketIds: readonly number[];
    resolutionMs: number;
    from: number;
  }): Promise<Map<number, bigint>>;
}
export interface CandleRepository extends CandleReader {
  /** Joins into the stored bucket: keeps its open, widens high and low, replaces close, adds volume and trades. One row a bucket in one call. */
  merge(candles: readonly Candle[]): Promise<void>;
}

// --- events ---

export interface EventReader {
  /**
   * Sequenced events with a greater `seq`, ascending, at most `limit`; empty only when there are none. Behind a hole that
   * `deleteBefore` has left in old numbers a page may be shorter than `limit` though more follow.
   */
  after(seq: number, limit: number): Promise<OutboxEvent[]>;
  /** The newest sequenced `seq`; 0 when there is none. */
  head(): Promise<number>;
}
export interface EventRepository extends EventReader {
  append(events: readonly NewOutboxEvent[]): Promise<void>;
  /**
   * Gives `seq` to committed events that have none, gap-free, keeping the order of each market. Called by the holder of the lease `event-relay`.
   * Returns how many: fewer than `limit` when none is left; more when events appended together are numbered together; 0 where `append` does it.
   */
  sequence(limit: number): Promise<number>;
  /**
   * Removes sequenced events created before the instant, the oldest first, until `limit` are removed; never the newest one. Returns how many.
   * Events of one instant that were appended together may go, and stay, together.
   */
  deleteBefore(createdBefore: number, limit: number): Promise<number>;
}

// --- idempotency ---

export interface IdempotencyRecord {
  wallet: Address;
  key: string;
  /** SHA-256 of the operation and its arguments. */
  requestHash: string;
  /** The answer, JSON. */
  answer: string;
  createdAt: number;
}
export interface IdempotencyRepository {
  find(keys: readonly { wallet: Address; key: string }[]): Promise<IdempotencyRecord[]>;
  /** A taken (wallet, key) makes the transaction run again whole (as a serialization failure does), so that the next run finds it. */
  insert(records: readonly IdempotencyRecord[]): Promise<void>;
  /** Removes records that were created before the instant, at most `limit`; returns how many went. */
  deleteBefore(createdBefore: number, limit: number): Promise<number>;
}

// --- deposits ---

export interface DepositRepository {
  find(reference: string): Promise<Deposit | null>;
  /** `false`, and nothing written, when the reference exists; waits for a transaction that is writing the same one. */
  insert(deposit: Deposit): Promise<boolean>;
  /** Fills in what the wallet has after the credit. */
  setFundsAfter(reference: string, after: Pick<Account, 'balance' | 'reserved'>): Promise<void>;
}

// --- leases: one owner at a time for a named job ---

export interface LeaseRepository {
  /** Takes or renews the lease; `null` while another owner holds it. `token` rises whenever the owner changes. */
  acquire(lease: {
    name: string;
    owner: string;
    now: number;
    until: number;
  }): Promise<{ token: number } | null>;
  /** Gives the lease up; that of another owner stays. */
  release(lease: { name: string; owner: string }): Promise<void>;
}

// --- payments ---

export type NewPayment = Omit<PaymentRecord, 'id'>;

export interface PaymentReader {
  find(key: PaymentKey): Promise<PaymentRecord | null>;
  /** Newest first (id descending). */
  list(query: Page & { status?: PaymentStatus }): Promise<PaymentRecord[]>;
}
export interface PaymentRepository extends PaymentReader {
  /**
   * Claims (asset, payer, nonce): `null`, and nothing written, when it is taken; waits for a transaction that is
   * writing the same one. Ids are unique; gaps are allowed.
   */
  insert(payment: NewPayment): Promise<PaymentRecord | null>;
  /** As `find`, by id, and holds the row until the end of the transaction. */
  lock(id: number): Promise<PaymentRecord | null>;
  /** Writes everything but the key, `operation`, `fingerprint`, `amount` and `createdAt`; rejects where there is no such row. */
  update(payment: PaymentRecord): Promise<void>;
  /** Gives the key back. */
  delete(id: number): Promise<void>;
  /**
   * Takes up to `limit` payments with `dueAt <= now` that nobody else is taking at this moment, earliest first: sets
   * `dueAt` and `leaseUntil` to `leaseUntil`, raises `leaseToken`, and returns them as they are then.
   */
  leaseDue(query: { now: number; leaseUntil: number; limit: number }): Promise<PaymentRecord[]>;
  /** Removes rejected payments last changed before the instant that no operator has decided on, at most `limit`; returns how many. */
  deleteRejected(updatedBefore: number, limit: number): Promise<number>;
}

// --- withdrawals ---

export type NewWithdrawal = Omit<Withdrawal, 'id' | 'walletSeq'>;

export interface WithdrawalReader {
  find(id: number): Promise<Withdrawal | null>;
  /** Newest first (id descending). `total` from the newest one's `walletSeq`. */
  list(query: Page & { wallet: Address }): Promise<{ withdrawals: Withdrawal[]; total: number }>;
  /** Pending and sent ones with a greater id, ascending, at most `limit`. With a `status` only those of that status. */
  listOpen(query: { status?: 'pending' | 'sent'; afterId: number; limit: number }): Promise<Withdrawal[]>;
  /** How many pending and sent ones the wallet has. */
  countOpen(wallet: Address): Promise<number>;
}
export interface WithdrawalRepository extends WithdrawalReader {
  /** Gives it an id above all earlier ones of the wallet, and the next `walletSeq`. The caller holds the wallet's account. */
  insert(withdrawal: NewWithdrawal): Promise<Withdrawal>;
  /** As `find`, and holds the row until the end of the transaction. */
  lock(id: number): Promise<Withdrawal | null>;
  /** Writes `status`, `payoutState`, `transaction`, `reason` and `updatedAt`; rejects where there is no such row. */
  update(withdrawal: Withdrawal): Promise<void>;
}

// --- audit ---

export interface AuditDifference {
  kind: 'posting' | 'account' | 'pool' | 'position' | 'market' | 'counter' | 'candle';
  /** The account, market, position, posting or candle concerned. */
  subject: string;
  stored: string;
  computed: string;
}

export interface AuditFindings {
  checked: { wallets: number; markets: number; positions: number; entries: number };
  treasury: bigint;
  external: bigint;
  /** At most 100. */
  differences: AuditDifference[];
}

/** Sums of what is stored; `run` holds the single figures against the entries. */
export interface HouseFindings {
  /** Balances of all wallets, and what is reserved of them. */
  wallets: bigint;
  reserved: bigint;
  pools: bigint;
  /** Of the totals of markets that are not resolved. */
  exposure: bigint;
  /** The markets themselves that are not resolved, counted by liquidity parameter, ascending. */
  unresolved: { liquidityParameter: bigint; markets: number }[];
}

export interface AuditReader {
  /**
   * Recomputes from entries, trades and withdrawals: postings sum to zero; balances and pools equal their entries; what an
   * account has reserved equals its open withdrawals (kind `account`, subject `<account> reserved`); each deposit and each
   * confirmed withdrawal has its posting over the same amount, and no other withdrawal has one (kind `posting`, subjects
   * `deposit:<reference>` and `withdrawal:<id>`); positions equal their trades; a market's outstanding shares equal its
   * positions (until it is resolved); trade and position counters agree; each candle has the volume, the number and the last
   * price of its trades, and the newest of each length closes at the price of the market's newest trade (kind `candle`,
   * subjects `market:<id> candle <length in ms> <start> <figure>`, and `market:<id> candle <length in ms> newest`).
   * Run inside `snapshot`.
   */
  run(): Promise<AuditFindings>;
  /** Adds up what is stored of wallets, pools and markets that are not resolved. Run inside `snapshot`. */
  house(): Promise<HouseFindings>;
}
