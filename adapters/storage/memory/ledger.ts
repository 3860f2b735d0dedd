import { isAhead } from '../../../src/domain/instants';
import { marketOfPool, walletOfAccount } from '../../../src/domain/ledger';
import type { Account, AccountChange, AccountId, Deposit, Posting } from '../../../src/domain/types';
import type {
  AccountReader,
  AccountRepository,
  DepositReader,
  DepositRepository,
  PostingReader,
  PostingRepository,
  IdempotencyRepository,
  LeaseRepository,
} from '../../../src/ports/storage';
import { LONGEST_LEASE_MS } from '../../../src/ports/storage';
import {
  addTo,
  ALL,
  byTimeThenText,
  compareText,
  idempotencyKey,
  type Database,
  type Gate,
  type TimeKey,
} from './database';
import { mergedPage, take } from './paging';
import { TransactionConflict } from './transaction-conflict';
import { copyAccount, copyDeposit, copyIdempotencyRecord, copyPosting, emptyAccount } from './rows';

export function accountReader(db: Database, gate: Gate): AccountReader {
  return {
    find: (id) =>
      gate(() => {
        const account = db.accounts.get(id);
        return account === undefined ? null : copyAccount(account);
      }),
  };
}

export function accountRepository(db: Database, gate: Gate): AccountRepository {
  return addTo<AccountReader, AccountRepository>(accountReader(db, gate), {
    lock: (ids, now) =>
      gate(() => {
        const ascending = [...new Set(ids)].sort(compareText);
        ascending.forEach(refusePool);
        return ascending.map((id) => {
          const stored = db.accounts.get(id);
          if (stored !== undefined) return copyAccount(stored);
          db.accounts.put(emptyAccount(id, now));
          return emptyAccount(id, now);
        });
      }),
    apply: (changes, now) =>
      gate(() => {
        if (new Set(changes.map(({ id }) => id)).size < changes.length) {
          throw new Error('storage: one change an account');
        }
        const rows = changes.map((change) => changed(db, change, now));
        for (const row of rows) db.accounts.put(row);
      }),
  });
}

function refusePool(id: AccountId): void {
  if (marketOfPool(id) !== null) throw new Error(`storage: the pool ${id} lives on its market`);
}

function changed(db: Database, change: AccountChange, now: number): Account {
  const { id, balance, reserved = 0n, activityCount = 0, openPositions = 0, totalPositions = 0 } = change;
  refusePool(id);
  const stored = db.accounts.get(id) ?? emptyAccount(id, now);
  const row: Account = {
    id,
    balance: stored.balance + balance,
    reserved: stored.reserved + reserved,
    activityCount: stored.activityCount + activityCount,
    openPositions: stored.openPositions + openPositions,
    totalPositions: stored.totalPositions + totalPositions,
    // The clocks of instances differ, but the time of an account must not go back.
    updatedAt: Math.max(now, stored.updatedAt),
  };
  if (walletOfAccount(id) !== null && (row.reserved < 0n || row.balance < row.reserved)) {
    throw new Error(`storage: ${id} would hold ${row.balance} with ${row.reserved} reserved`);
  }
  return row;
}

export function postingReader(db: Database, gate: Gate): PostingReader {
  return {
    find: (reference) =>
      gate(() => {
        const posting = db.postings.get(reference);
        return posting === undefined ? null : copyPosting(posting);
      }),
  };
}

export function postingRepository(db: Database, gate: Gate): PostingRepository {
  return addTo<PostingReader, PostingRepository>(postingReader(db, gate), {
    insert: (postings) =>
      gate(() => {
        const references = new Set<string>();
        for (const posting of postings) {
          refuseUnbalanced(posting);
          if (db.postings.has(posting.reference) || references.has(posting.reference)) {
            throw new Error(`storage: posting ${posting.reference} exists`);
          }
          references.add(posting.reference);
        }
        for (const posting of postings) db.postings.put(copyPosting(posting));
      }),
  });
}

function refuseUnbalanced({ reference, entries }: Posting): void {
  let sum = 0n;
  for (const entry of entries) sum += entry.amount;
  if (sum !== 0n) throw new Error(`storage: posting ${reference} sums to ${sum}, not to zero`);
}

export function depositReader(db: Database, gate: Gate): DepositReader {
  return {
    list: ({ wallet, limit, offset }) =>
      gate(() => {
        const newest = db.depositsByWallet.in(wallet).descending();
        const page = mergedPage([newest], newestFirst, { limit, offset });
        return page.map(({ id }) => copyDeposit(db.deposits.get(id) as Deposit));
      }),
  };
}

const newestFirst = (a: TimeKey<string>, b: TimeKey<string>): number => byTimeThenText(b, a);

export function depositRepository(db: Database, gate: Gate): DepositRepository {
  return addTo<DepositReader, DepositRepository>(depositReader(db, gate), {
    find: (reference) =>
      gate(() => {
        const deposit = db.deposits.get(reference);
        return deposit === undefined ? null : copyDeposit(deposit);
      }),
    insert: (deposit) =>
      gate(() => {
        if (db.deposits.has(deposit.reference)) return false;
        db.deposits.put(copyDeposit(deposit));
        return true;
      }),
    setFundsAfter: (reference, { balance, reserved }) =>
      gate(() => {
        const deposit = db.deposits.get(reference);
        if (deposit === undefined) throw new Error(`storage: deposit ${reference} does not exist`);
        db.deposits.put({ ...deposit, balanceAfter: balance, reservedAfter: reserved });
      }),
  });
}

export function idempotencyRepository(db: Database, gate: Gate): IdempotencyRepository {
  return {
    find: (keys) =>
      gate(() => {
        const distinct = new Set(keys.map(idempotencyKey));
        return [...distinct]
          .map((key) => db.idempotency.get(key))
          .filter((row) => row !== undefined)
          .map(copyIdempotencyRecord);
      }),
    insert: (records) =>
      gate(() => {
        for (const record of records) {
          if (db.idempotency.has(idempotencyKey(record)))
            throw new TransactionConflict('an idempotency key is taken');
          db.idempotency.put(copyIdempotencyRecord(record));
        }
      }),
    deleteBefore: (createdBefore, limit) =>
      gate(() => {
        const old = take(db.idempotencyByAge.in(ALL).ascending(), limit).filter(
          (key) => key.time < createdBefore,
        );
        for (const key of old) db.idempotency.remove(key.id);
        return old.length;
      }),
  };
}

export function leaseRepository(db: Database, gate: Gate): LeaseRepository {
  return {
    acquire: ({ name, owner, now, until }) =>
      gate(() => {
        const lease = db.leases.get(name);
        const mine = lease?.owner === owner;
        const isHeld =
          lease !== undefined && lease.owner !== null && isAhead(lease.until, now, LONGEST_LEASE_MS);
        if (isHeld && !mine) return null;
        const token = mine ? lease.token : (lease?.token ?? 0) + 1;
        db.leases.put({ name, owner, until, token });
        return { token };
      }),
    release: ({ name, owner }) =>
      gate(() => {
        const lease = db.leases.get(name);
        // The row stays after a release, because the token of the next owner has to be higher.
        if (lease?.owner === owner) db.leases.put({ ...lease, owner: null });
      }),
  };
}
