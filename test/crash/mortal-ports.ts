import type { Facilitator } from '../../src/ports/facilitator';
import type { Oracle } from '../../src/ports/oracle';
import type { Payout } from '../../src/ports/payout';
import type { Storage, Transaction } from '../../src/ports/storage';

/**
 * Gets the name of each step. Does not return where the process has to die, and throws where the step has to fail.
 */
export type Reached = (step: string) => void;

/**
 * A stored change has three steps: `before <change>`, `in <change>` (written, not committed) and `after <change>`
 * (committed).
 */
export function mortalStorage(inner: Storage, reached: Reached): Storage {
  return {
    ...inner,
    async transaction(work) {
      let changes: string[] = [];
      const result = await inner.transaction((transaction) => {
        changes = [];
        return work(watched(transaction, reached, changes));
      });
      for (const change of changes) reached(`after ${change}`);
      return result;
    },
  };
}

function watched(transaction: Transaction, reached: Reached, changes: string[]): Transaction {
  let isPaidCall = false;
  const onPayments = (method: string): void => void (isPaidCall ||= method === 'lock');
  const change: Change = { reached, changes };
  const rows = {
    payments: watchedRows(
      transaction.payments,
      change,
      { insert: () => 'claimed', update: paymentChange },
      onPayments,
    ),
    withdrawals: watchedRows(transaction.withdrawals, change, {
      insert: () => 'reserved',
      update: (row: Row) => row.status,
    }),
    resolutions: watchedRows(transaction.resolutions, change, {
      insertRound: (row: Row) => row.status,
      updateRound: (row: Row) => row.status,
    }),
    markets: watchedRows(transaction.markets, change, { update: payoutChange, leaseDue: () => 'look' }),
  };
  return new Proxy(transaction, {
    get(target, name) {
      if (name === 'payments') return rows.payments;
      if (isPaidCall) reached('before the call');
      return Object.hasOwn(rows, name) ? Reflect.get(rows, name) : (Reflect.get(target, name) as unknown);
    },
  });
}

interface Change {
  reached: Reached;
  changes: string[];
}

interface Row {
  status: string;
  answer?: object | null;
}

type ChangeNames = Readonly<Record<string, (given: never) => string | null>>;

function watchedRows<Rows extends object>(
  rows: Rows,
  { reached, changes }: Change,
  names: ChangeNames,
  onUse: (method: string) => void = () => undefined,
): Rows {
  return new Proxy(rows, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      const nameOf = Object.hasOwn(names, name) ? names[String(name)] : undefined;
      return async (...given: unknown[]): Promise<unknown> => {
        onUse(String(name));
        const write = (): unknown => Reflect.apply(value, target, given) as unknown;
        const change = nameOf?.(given[0] as never) ?? null;
        if (change === null) return write();
        reached(`before ${change}`);
        const result = await write();
        reached(`in ${change}`);
        changes.push(change);
        return result;
      };
    },
  });
}

function paymentChange({ status, answer }: Row): string {
  return status === 'settled' && answer !== null ? 'answered' : status;
}

function payoutChange([market]: readonly { status: string; dueAt: number | null }[]): string | null {
  if (market?.status !== 'resolved') return null;
  return market.dueAt === null ? 'paid' : 'paying';
}

export function mortalFacilitator(inner: Facilitator, reached: Reached): Facilitator {
  return {
    name: inner.name,
    verify: stepped('verify', inner.verify, reached),
    settle: stepped('settle', inner.settle, reached),
    lookup: stepped('lookup', inner.lookup, reached),
    supported: () => inner.supported(),
  };
}

export function mortalOracle(inner: Oracle, reached: Reached): Oracle {
  return { ...inner, ask: stepped('ask', inner.ask, reached) };
}

export function mortalPayout(inner: Payout, reached: Reached): Payout {
  return {
    name: inner.name,
    prepare: stepped('prepare', inner.prepare, reached),
    submit: stepped('submit', inner.submit, reached),
    check: stepped('check', inner.check, reached),
  };
}

function stepped<Given extends unknown[], Result>(
  name: string,
  call: (...given: Given) => Promise<Result>,
  reached: Reached,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    reached(`before ${name}`);
    const result = await call(...given);
    reached(`after ${name}`);
    return result;
  };
}
