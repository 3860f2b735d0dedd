/** The host's option `onCommit`: reports the events of the facts that this instance has committed. */
import type { NewFact, OwnCommit } from '../domain/events';
import { eventsOfFact } from '../events/events-of-fact';
import type { Logger } from '../ports/logger';
import type { EventRepository, Storage, Transaction } from '../ports/storage';

/**
 * The storage, extended so that it reports the events of each transaction once the database has answered its
 * COMMIT. If the transaction fails or the answer is lost, no events are reported.
 */
export function reportingOwnCommits(
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
      let appended: NewFact[] = [];
      const result = await storage.transaction((transaction) => {
        // The storage may run the work again from the start. Only the events of the run that commits count.
        appended = [];
        return work(noting(transaction, appended));
      }, options);
      for (const row of appended) tell(row, onCommit, logger);
      return result;
    },
  };
}

function noting(transaction: Transaction, appended: NewFact[]): Transaction {
  const events: EventRepository = {
    after: (seq, limit) => transaction.events.after(seq, limit),
    head: () => transaction.events.head(),
    sequence: (limit) => transaction.events.sequence(limit),
    deleteBefore: (createdBefore, limit, upTo) => transaction.events.deleteBefore(createdBefore, limit, upTo),
    append: (rows) => {
      appended.push(...rows);
      return transaction.events.append(rows);
    },
  };
  return {
    settings: transaction.settings,
    challenges: transaction.challenges,
    apiKeys: transaction.apiKeys,
    creators: transaction.creators,
    markets: transaction.markets,
    accounts: transaction.accounts,
    postings: transaction.postings,
    positions: transaction.positions,
    trades: transaction.trades,
    candles: transaction.candles,
    events,
    consumers: transaction.consumers,
    idempotency: transaction.idempotency,
    deposits: transaction.deposits,
    leases: transaction.leases,
    payments: transaction.payments,
    withdrawals: transaction.withdrawals,
    resolutions: transaction.resolutions,
    webhooks: transaction.webhooks,
    operatorLog: transaction.operatorLog,
    audit: transaction.audit,
  };
}

/**
 * Calls the host's function, and logs an error that it throws. The transaction is committed, so the error
 * must not make the caller believe that the transaction failed.
 */
function tell(row: NewFact, onCommit: (event: OwnCommit) => void, logger: Logger): void {
  try {
    for (const { seq: _none, ...event } of eventsOfFact({ ...row, seq: 0 })) onCommit(event);
  } catch (err) {
    logger.error({ err, kind: row.kind }, 'onCommit failed');
  }
}
