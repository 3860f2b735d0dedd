import { describe, expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { storageConformance } from '../../testing/storage-conformance';
import { PROVEN_ELSEWHERE } from '../../testing/storage-conformance/contract';
import * as consumers from './broken/consumers';
import * as isolation from './broken/isolation';
import * as operatorLog from './broken/operator-log';
import { recordingRunner, type Recording } from './broken/recording-runner';
import * as rows from './broken/rows';
import * as webhooks from './broken/webhooks';

async function conformanceOf(
  tamper: (storage: Storage) => Storage,
  only?: (name: string, index: number) => boolean,
): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  storageConformance(runner, {
    async create() {
      const storage = tamper(memoryStorage());
      await storage.open({ logger: silentLogger });
      const hooks = {
        durable: false,
        another: false,
        inspect: false,
        cutOff: false,
        loseCommit: false,
      } as const;
      return { storage, ...hooks, destroy: () => storage.close() };
    },
    provenElsewhere: PROVEN_ELSEWHERE,
  });
  return run(only);
}

const SEARCH =
  'lists of markets: find questions by the beginnings of all words, with every filter, order and page';
const WHOLE_ACTS =
  'the operators’ log: keeps acts whole, newest first, page by page, all or those of an action';

const BROKEN: { fault: string; tamper: (storage: Storage) => Storage; caughtBy: string[] }[] = [
  {
    fault: 'does not roll back',
    tamper: isolation.withoutRollback,
    caughtBy: [
      'transactions: write nothing at all when a write is rejected',
      'rollback: leaves an empty storage empty',
      'rollback: undoes every kind of insert, change and removal',
      'isolation: read never sees what is rolled back',
    ],
  },
  {
    fault: 'loses updates',
    tamper: isolation.withLostUpdates,
    caughtBy: ['concurrency: no update of a locked market is lost'],
  },
  {
    fault: 'shows uncommitted rows',
    tamper: isolation.withDirtyReads,
    caughtBy: [
      'isolation: read never sees what is rolled back',
      'isolation: snapshot never sees what is rolled back',
      'isolation: a statement of a running read never sees what is rolled back',
    ],
  },
  {
    fault: 'has snapshots of several moments',
    tamper: isolation.withTornSnapshots,
    caughtBy: ['isolation: snapshot sees one moment throughout'],
  },
  {
    fault: 'gives one nonce to two callers',
    tamper: isolation.withSharedNonces,
    caughtBy: ['challenges: are consumed by exactly one of many callers at once'],
  },
  {
    fault: 'answers from a stale cache',
    tamper: isolation.withStaleReads,
    caughtBy: ['isolation: what has been committed is seen at once, on every handle'],
  },
  {
    fault: 'closes under a running transaction',
    tamper: isolation.withHastyClose,
    caughtBy: ['a storage: waits for what is running when it is closed'],
  },
  {
    fault: 'hands out its own rows',
    tamper: isolation.withSharedRows,
    caughtBy: ['transactions: keep stored rows out of the reach of callers'],
  },
  {
    fault: 'keeps money in doubles',
    tamper: rows.withLossyMoney,
    caughtBy: [
      ...['accounts', 'markets', 'postings', 'positions', 'trades', 'settlements', 'deposits'].map(
        (table) => `money is exact: on ${table}`,
      ),
      'money is exact: in candles',
      'money is exact: in the totals of markets',
    ],
  },
  {
    fault: 'orders equal volumes the wrong way',
    tamper: rows.withWrongTies,
    caughtBy: ['lists of markets: are ordered by volume_desc, with their ties, for every filter and page'],
  },
  {
    fault: 'filters markets by their stored status',
    tamper: rows.withStoredStatuses,
    caughtBy: [
      'lists of markets: are ordered by volume_desc, with their ties, for every filter and page',
      'lists of markets: are ordered by created_desc, with their ties, for every filter and page',
      'lists of markets: are ordered by resolve_asc, with their ties, for every filter and page',
      'lists of markets: judge what is open by the instant they are given',
    ],
  },
  {
    fault: 'adds up the fees of one page of markets',
    tamper: rows.withFeesOfThePage,
    caughtBy: [
      'lists of markets: are listed for one creator, newest first, with what all of them have earned',
    ],
  },
  {
    fault: 'does not store what creators earn',
    tamper: rows.withoutCreatorFees,
    caughtBy: ['markets: are updated in all that changes in their life'],
  },
  {
    fault: 'does not search',
    tamper: rows.withoutSearch,
    caughtBy: [SEARCH],
  },
  {
    fault: 'finds questions that have one of the words',
    tamper: rows.withOneWordOnly,
    caughtBy: [SEARCH],
  },
  {
    fault: 'lists deposits without regard to their time',
    tamper: rows.withUndatedDeposits,
    caughtBy: ['deposits: are listed newest first, each wallet for itself, page by page'],
  },
  {
    fault: 'lists the oldest trades first',
    tamper: rows.withOldestTradesFirst,
    caughtBy: ['trades: of a market are listed newest first, settlements left out, page by page'],
  },
  {
    fault: 'pays a settlement twice',
    tamper: rows.withSecondSettlements,
    caughtBy: [
      'settlements: of one position are rejected the second time',
      'settlements: are paid once by many payers at once',
    ],
  },
  {
    fault: 'takes an overdraft for done',
    tamper: rows.withOverdrafts,
    caughtBy: [
      'wallets: never fall below zero, nor below what is reserved',
      'wallets: are not overdrawn by many who spend at once',
    ],
  },
  {
    fault: 'does not look at postings',
    tamper: rows.withUncheckedPostings,
    caughtBy: [
      'postings: that do not sum to zero are rejected, with all that came with them',
      'postings: under a reference that exists are rejected',
      'postings: are written once when many write one reference at once',
    ],
  },
  {
    fault: 'gives one slug to several markets',
    tamper: rows.withTakenSlugs,
    caughtBy: [
      'markets: are not inserted under a taken slug, and nothing is written',
      'markets: share a slug never, however many want it at once',
    ],
  },
  {
    fault: 'leases a due market to several at once',
    tamper: rows.withUnheldLeases,
    caughtBy: [
      'due markets: are leased earliest first, at most the limit',
      'due markets: are never taken by two at once',
    ],
  },
  {
    fault: 'keeps the lease of a wrong clock until that clock’s time',
    tamper: rows.withLastingLeases,
    caughtBy: ['leases: that a wrong clock has written do not outlast it'],
  },
  {
    fault: 'keeps a payment that a wrong clock has leased until that clock’s time',
    tamper: rows.withLastingPaymentLeases,
    caughtBy: ['due payments: are those too that a wrong clock has leased'],
  },
  {
    fault: 'lets a second call with one idempotency key through',
    tamper: rows.withDeafIdempotency,
    caughtBy: ['idempotency: a taken key makes the transaction run again whole, and the next run finds it'],
  },
  {
    fault: 'names the wrong call that numbers events',
    tamper: rows.withFalseEventNumbering,
    caughtBy: ['events: are numbered by the call that the storage names'],
  },
  {
    fault: 'numbers events with gaps',
    tamper: rows.withGapsInEvents,
    caughtBy: ['events: come back as they were appended, numbered without a gap'],
  },
  {
    fault: 'finds its own books right',
    tamper: rows.withBlindAudit,
    caughtBy: ['the audit of books that are wrong: finds a balance without entries'],
  },
  {
    fault: 'overlooks postings whose record is gone',
    tamper: rows.withUnauditedOrphans,
    caughtBy: [
      'the audit of books that are wrong: finds a booked deposit whose record is gone',
      'the audit of books that are wrong: finds a booked deposit of the treasury whose record is gone',
      'the audit of books that are wrong: finds a booked withdrawal whose record is gone',
      'the audit of books that are wrong: finds a withdrawal that was booked and is not confirmed',
    ],
  },
  {
    fault: 'does not ask to which account a deposit went',
    tamper: rows.withUnauditedAccounts,
    caughtBy: [
      'the audit of books that are wrong: finds a deposit that was booked to another wallet',
      'the audit of books that are wrong: finds a deposit of the treasury that was booked to a wallet',
      'the audit of books that are wrong: finds a deposit that was shared with another wallet',
      'the audit of books that are wrong: finds a withdrawal that was booked from another wallet',
    ],
  },
  {
    fault: 'leaves reservations out of its audit',
    tamper: rows.withUnauditedReservations,
    caughtBy: [
      'the audit of books that are wrong: finds a reservation without a withdrawal',
      'the audit of books that are wrong: finds an open withdrawal that reserves nothing',
      'the audit of books that are wrong: finds a reservation that outlives its withdrawal',
    ],
  },
  {
    fault: 'gives a reservation back too early',
    tamper: rows.withEarlyRelease,
    caughtBy: [
      'the audit of books that are right: is clean while withdrawals are reserved, sent, paid and given back',
    ],
  },
  {
    fault: 'replaces rounds of the oracle',
    tamper: rows.withReplacedRounds,
    caughtBy: ['rounds of the oracle: are kept whole, each number once a market'],
  },
  {
    fault: 'inserts a consumer over another one',
    tamper: consumers.withReplacedConsumers,
    caughtBy: [
      'consumers: are kept whole, one a name, and changed',
      'consumers: get a name once of many at once',
    ],
  },
  {
    fault: 'locks no consumer',
    tamper: consumers.withUnlockedConsumers,
    caughtBy: ['consumers: are changed one after the other by many who lock them'],
  },
  {
    fault: 'keeps the parked facts of a removed consumer',
    tamper: consumers.withOrphanedFacts,
    caughtBy: ['consumers: go with their parked facts, and only theirs'],
  },
  {
    fault: 'removes old events that a consumer still needs',
    tamper: consumers.withUnheldEvents,
    caughtBy: ['events: are kept above a number, however old they are'],
  },
  {
    fault: 'leases for a round what is to be closed, and the other way round',
    tamper: rows.withOneQueueOfDueMarkets,
    caughtBy: ['due markets: are leased for a round of the oracle, or for another step'],
  },
  {
    fault: 'keeps every delivery of a webhook',
    tamper: webhooks.withAllDeliveries,
    caughtBy: ['deliveries of webhooks: are kept up to a number for each webhook'],
  },
  {
    fault: 'moves the position of a webhook forward only',
    tamper: webhooks.withPositionsThatOnlyRise,
    caughtBy: ['webhooks: are kept whole, and changed whole'],
  },
  {
    fault: 'removes a webhook twice',
    tamper: webhooks.withRepeatedRemovals,
    caughtBy: ['webhooks: are removed with their deliveries, and their ids are not used again'],
  },
  {
    fault: 'keeps one secret of a webhook',
    tamper: webhooks.withOneSecret,
    caughtBy: ['webhooks: are kept whole, and changed whole'],
  },
  {
    fault: 'lists the oldest acts of operators first',
    tamper: operatorLog.withOldestActsFirst,
    caughtBy: ['the operators’ log: numbers acts upwards, also those of many at once'],
  },
  {
    fault: 'lists acts of other actions',
    tamper: operatorLog.withUnfilteredActs,
    caughtBy: [WHOLE_ACTS],
  },
  {
    fault: 'lists acts at the end of the time that was asked for',
    tamper: operatorLog.withUntilIncluded,
    caughtBy: ['the operators’ log: lists the acts that have all values of the filter'],
  },
  {
    fault: 'keeps no details of acts',
    tamper: operatorLog.withoutDetails,
    caughtBy: [WHOLE_ACTS],
  },
];

describe('the storage conformance suite', () => {
  it('passes a storage that keeps the contract', async () => {
    const { passed, failed } = await conformanceOf((storage) => storage);
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(100);
  });

  it.each(BROKEN)('catches a storage that $fault', async ({ tamper, caughtBy }) => {
    // A quarter of the other checks run too, to show that the fault does not make all checks fail.
    const { failed, passed } = await conformanceOf(
      tamper,
      (name, index) => caughtBy.includes(name) || index % 4 === 0,
    );
    expect(failed).toEqual(expect.arrayContaining(caughtBy));
    expect(passed.length).toBeGreaterThan(20);
  });
});
