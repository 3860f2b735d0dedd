import type { Logger } from '../logger';
import type {
  ApiKeyReader,
  ApiKeyRepository,
  ChallengeRepository,
  CreatorReader,
  CreatorRepository,
} from './keys-and-creators';
import type { AuditReader } from './audit';
import type { ConsumerReader, ConsumerRepository } from './consumers';
import type { EventReader, EventRepository } from './events';
import type { IdempotencyRepository } from './idempotency';
import type { LeaseRepository } from './leases';
import type {
  AccountReader,
  AccountRepository,
  DepositReader,
  DepositRepository,
  PostingReader,
  PostingRepository,
} from './ledger';
import type { MarketReader, MarketRepository } from './markets';
import type { OperatorLogReader, OperatorLogRepository } from './operator-log';
import type { PaymentReader, PaymentRepository } from './payments';
import type { PositionReader, PositionRepository } from './positions';
import type { ResolutionReader, ResolutionRepository } from './resolutions';
import type { SettingsReader, SettingsRepository } from './settings';
import type { CandleReader, CandleRepository, TradeReader, TradeRepository } from './trades';
import type { WebhookReader, WebhookRepository } from './webhooks';
import type { WithdrawalReader, WithdrawalRepository } from './withdrawals';

export type * from './keys-and-creators';
export type * from './audit';
export type * from './consumers';
export type * from './events';
export type * from './idempotency';
export * from './leases';
export type * from './ledger';
export type * from './markets';
export type * from './operator-log';
export type * from './page';
export type * from './payments';
export type * from './positions';
export type * from './resolutions';
export type * from './settings';
export type * from './trades';
export type * from './webhooks';
export type * from './withdrawals';

/**
 * The storage port: everything that outlives a process.
 *
 * Contract (the published conformance suite checks it sentence by sentence):
 * - Lock order: markets by id, then accounts by id.
 * - Every handle sees committed data at once, and the data are still there when the storage is opened again,
 *   after a `close` or a crash.
 * - Every field is read as it was written. Callers and storage share no objects.
 * - Amounts of money and shares are exact over the whole range of a signed 64-bit integer.
 * - Every list has the order that its comment states.
 * - A storage whose database cannot be reached rejects with code SERVICE_UNAVAILABLE within 5 seconds. A commit
 *   whose outcome is unknown rejects with the same code.
 */
export interface Storage {
  /** The name in logs: `memory`, `sqlite`, `postgres`, or a name of your own. */
  readonly name: string;
  /**
   * Which call gives facts their `seq`: `append`, or `sequence`, which the event relay calls after the commit
   * (`relay`).
   */
  readonly eventNumbering: 'append' | 'relay';
  /** Connects and migrates. May be called once. */
  open(context: { logger: Logger }): Promise<void>;
  /**
   * Waits for the calls that are running, then releases the database. Later calls reject with
   * SERVICE_UNAVAILABLE.
   */
  close(): Promise<void>;
  /** Resolves when the storage can answer a query. */
  ping(): Promise<void>;
  /**
   * `read` sees committed data only, which may change between its statements; `snapshot` sees one moment
   * throughout.
   */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * `read` sees committed data only, which may change between its statements; `snapshot` sees one moment
   * throughout.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  /**
   * Runs `work` and commits its writes.
   *
   * - `transaction` is atomic and isolated: it commits all of its writes or none, and other callers do not see
   *   them before; when `work` throws, it rolls back and rejects with the same error. Two transactions that lock
   *   the same rows run one after the other, and the second sees what the first committed. A transaction that the
   *   database aborts because of concurrency is run again from the start, so `work` must have no effect besides
   *   its writes.
   * - Inside `work` only the given transaction is used, never `read` or another `transaction`. Calls that do not
   *   depend on each other may be made at once, without waiting for the earlier ones.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface SnapshotOptions {
  /**
   * `audit`: the snapshot reads everything and may take minutes. An adapter with few connections gives the
   * audit a connection of its own, so that no other call waits for the audit, and runs one audit at a time: a
   * second audit waits for at most 5 seconds, then it is refused with SERVICE_UNAVAILABLE.
   */
  purpose?: 'audit';
}

export interface TransactionOptions {
  /**
   * `trades`: the transaction executes a batch of orders. A process runs one such transaction at a time. An
   * adapter with few connections keeps one of them for the batches, so that other work cannot delay a batch.
   */
  purpose?: 'trades';
}

/** A storage has every repository, and each has every method of its interface. */
export interface Reader {
  readonly settings: SettingsReader;
  readonly apiKeys: ApiKeyReader;
  readonly creators: CreatorReader;
  readonly markets: MarketReader;
  readonly accounts: AccountReader;
  readonly postings: PostingReader;
  readonly positions: PositionReader;
  readonly trades: TradeReader;
  readonly candles: CandleReader;
  readonly events: EventReader;
  readonly consumers: ConsumerReader;
  readonly deposits: DepositReader;
  readonly payments: PaymentReader;
  readonly withdrawals: WithdrawalReader;
  readonly resolutions: ResolutionReader;
  readonly webhooks: WebhookReader;
  readonly operatorLog: OperatorLogReader;
  readonly audit: AuditReader;
}

export interface Transaction extends Reader {
  readonly settings: SettingsRepository;
  readonly challenges: ChallengeRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly creators: CreatorRepository;
  readonly markets: MarketRepository;
  readonly accounts: AccountRepository;
  readonly postings: PostingRepository;
  readonly positions: PositionRepository;
  readonly trades: TradeRepository;
  readonly candles: CandleRepository;
  readonly events: EventRepository;
  readonly consumers: ConsumerRepository;
  readonly idempotency: IdempotencyRepository;
  readonly deposits: DepositRepository;
  readonly leases: LeaseRepository;
  readonly payments: PaymentRepository;
  readonly withdrawals: WithdrawalRepository;
  readonly resolutions: ResolutionRepository;
  readonly webhooks: WebhookRepository;
  readonly operatorLog: OperatorLogRepository;
}
