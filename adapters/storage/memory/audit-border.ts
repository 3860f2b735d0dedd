/** Compares deposits and withdrawals with the postings that move money from and to the account `external`. */
import { creditedAccount, depositReference, walletAccount } from '../../../src/domain/ledger';
import type { AccountId, Posting } from '../../../src/domain/types';
import type { AuditDifference } from '../../../src/ports/storage/audit';
import { differ } from './audit-difference';
import type { Database } from './database';

type PostingKind = Posting['kind'];

/**
 * The money that a posting moved from the account `external`. The amount is negative for money that went out.
 */
export interface Crossing {
  kind: PostingKind;
  amount: bigint;
}

/** What the record of a deposit or of a confirmed withdrawal says. `amount` has the sign of a `Crossing`. */
interface Recorded extends Crossing {
  reference: string;
  account: AccountId;
}

function recordedOf(db: Database): Recorded[] {
  const deposits = [...db.deposits.values()].map(({ reference, wallet, amount }) => ({
    kind: 'deposit' as const,
    reference: depositReference(reference),
    account: creditedAccount(wallet),
    amount,
  }));
  const confirmed = [...db.withdrawals.values()]
    .filter(({ status }) => status === 'confirmed')
    .map(({ id, wallet, amount }) => ({
      kind: 'withdrawal' as const,
      reference: `withdrawal:${id}`,
      account: walletAccount(wallet),
      amount: -amount,
    }));
  return [...deposits, ...confirmed];
}

/** Each deposit and each confirmed withdrawal must have its posting, and each such posting its own record. */
export function compareBorder(db: Database, crossed: ReadonlyMap<string, Crossing>): AuditDifference[] {
  const recorded = recordedOf(db);
  return (['deposit', 'withdrawal'] as const).flatMap((kind) => {
    const amounts = new Map(
      recorded.filter((record) => record.kind === kind).map(({ reference, amount }) => [reference, amount]),
    );
    const booked = [...crossed]
      .filter(([, crossing]) => crossing.kind === kind)
      .map(([reference]) => reference);
    return [...new Set([...amounts.keys(), ...booked])].flatMap((reference) => {
      const [stored, computed] = [amounts.get(reference) ?? 0n, crossed.get(reference)?.amount ?? 0n];
      return differ('posting', reference, magnitude(stored, kind), magnitude(computed, kind));
    });
  });
}

/**
 * The posting must have moved the whole amount to or from the account of the record. `compareBorder` reports
 * a missing posting.
 */
export function compareOwners(db: Database): AuditDifference[] {
  return recordedOf(db).flatMap(({ kind, reference, account, amount }) => {
    const posting = db.postings.get(reference);
    if (posting?.kind !== kind) return [];
    const own = posting.entries.filter((entry) => entry.account === account);
    const moved = own.reduce((sum, entry) => sum + entry.amount, 0n);
    return differ('posting', `${reference} ${account}`, magnitude(amount, kind), magnitude(moved, kind));
  });
}

/** The amount of a withdrawal is shown without its sign. */
const magnitude = (amount: bigint, kind: PostingKind): bigint => (kind === 'withdrawal' ? -amount : amount);
