import type { Withdrawal } from '../../../src/domain/withdrawals';
import type { WithdrawalReader, WithdrawalRepository } from '../../../src/ports/storage';
import { addTo, ALL, type Database, type Gate } from './database';
import { mergedPage, take } from './paging';
import { copyWithdrawal } from './rows';

export function withdrawalReader(db: Database, gate: Gate): WithdrawalReader {
  const read = (id: number): Withdrawal => copyWithdrawal(db.withdrawals.get(id) as Withdrawal);
  return {
    find: (id) => gate(() => (db.withdrawals.has(id) ? read(id) : null)),
    list: ({ wallet, limit, offset }) =>
      gate(() => {
        const ids = db.withdrawalsByWallet.in(wallet);
        const page = mergedPage([ids.descending()], (a, b) => b - a, { limit, offset });
        return { withdrawals: page.map(read), total: ids.size };
      }),
    listOpen: ({ status, afterId, limit }) =>
      gate(() => {
        const open =
          status === undefined ? db.openWithdrawals.in(ALL) : db.openWithdrawalsByStatus.in(status);
        return take(open.ascending(afterId + 1), limit).map(read);
      }),
    countOpen: (wallet) => gate(() => db.openWithdrawalsByWallet.in(wallet).size),
  };
}

export function withdrawalRepository(db: Database, gate: Gate): WithdrawalRepository {
  const reader = withdrawalReader(db, gate);
  return addTo<WithdrawalReader, WithdrawalRepository>(reader, {
    insert: (withdrawal) =>
      gate(() => {
        const walletSeq = db.withdrawalsByWallet.in(withdrawal.wallet).size + 1;
        const row = copyWithdrawal({ ...withdrawal, id: db.nextNumber('withdrawal'), walletSeq });
        db.withdrawals.put(row);
        return copyWithdrawal(row);
      }),
    // There is one writer at a time, so `lock` needs only to read.
    lock: (id) => reader.find(id),
    update: ({ id, status, payoutState, transaction, reason, updatedAt }) =>
      gate(() => {
        const stored = db.withdrawals.get(id);
        if (stored === undefined) throw new Error(`storage: withdrawal ${id} does not exist`);
        db.withdrawals.put({ ...stored, status, payoutState, transaction, reason, updatedAt });
      }),
  });
}
