/**
 * Reports what this instance has committed, and not what others have. So the counts of all instances can be
 * added up.
 */
import type { NewOutboxEvent, OwnCommit } from '../domain/events';
import { expandOutboxEvent } from '../events/facts';
import type { Logger } from '../ports/logger';
import type { EventRepository, Storage, Transaction } from '../ports/storage';

/**
 * The storage, extended so that it reports the events of each transaction once its COMMIT is answered. When
 * the transaction fails, or the answer is lost, it reports none.
 */
export function tellingOwnCommits(
  storage: Storage,
  onCommit: (event: OwnCommit) => void,
  logger: Logger,
): Storage {
  return {
    name: storage.name,
    eventNumbering: storage.eventNumbering,
    open: (context) => storage.open(context),
    close: () => storage.close(),
    ping: () => storage.ping(),
    read: (work) => storage.read(work),
    snapshot: (work, options) => storage.snapshot(work, options),
    async transaction(work, options) {
      let appended: NewOutboxEvent[] = [];
      const result = await storage.transaction((tx) => {
        // The storage may run the work again from the start. Only the run that commits counts.
        appended = [];
        return work(noting(tx, appended));
      }, options);
      for (const row of appended) tell(row, onCommit, logger);
      return result;
    },
  };
}

function noting(tx: Transaction, appended: NewOutboxEvent[]): Transaction {
  const events: EventRepository = {
    after: (seq, limit) => tx.events.after(seq, limit),
    head: () => tx.events.head(),
    sequence: (limit) => tx.events.sequence(limit),
    deleteBefore: (createdBefore, limit) => tx.events.deleteBefore(createdBefore, limit),
    append: (rows) => {
      appended.push(...rows);
      return tx.events.append(rows);
    },
  };
  return {
    settings: tx.settings,
    challenges: tx.challenges,
    apiKeys: tx.apiKeys,
    creators: tx.creators,
    markets: tx.markets,
    accounts: tx.accounts,
    entries: tx.entries,
    positions: tx.positions,
    trades: tx.trades,
    candles: tx.candles,
    events,
    idempotency: tx.idempotency,
    deposits: tx.deposits,
    leases: tx.leases,
    payments: tx.payments,
    withdrawals: tx.withdrawals,
    resolutions: tx.resolutions,
    audit: tx.audit,
  };
}

/**
 * The transaction is committed. An error in the host's function must not make the caller believe that it
 * failed.
 */
function tell(row: NewOutboxEvent, onCommit: (event: OwnCommit) => void, logger: Logger): void {
  try {
    for (const { seq: _none, ...event } of expandOutboxEvent({ ...row, seq: 0 })) onCommit(event);
  } catch (err) {
    logger.error({ err, kind: row.kind }, 'onCommit failed');
  }
}
