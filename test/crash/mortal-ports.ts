/** Ports that tell which step of the work is reached, so that a process can die at exactly that one. */
import type { Facilitator } from '../../src/ports/facilitator';
import type { Payout } from '../../src/ports/payout';
import type { Storage, Transaction } from '../../src/ports/storage';

/** Called at every step; a process that is to die there does not come back from it. May throw: then the step fails. */
export type Reached = (step: string) => void;

/**
 * Steps of a stored change are `before <change>`, `in <change>` (written, not committed) and `after <change>`
 * (committed). `before the call` is when a paid call first touches more than its payment.
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
  const payments = watchedRows(transaction.payments, change, paymentChange, onPayments);
  const withdrawals = watchedRows(transaction.withdrawals, change, withdrawalChange);
  return new Proxy(transaction, {
    get(target, name) {
      if (name === 'payments') return payments;
      if (isPaidCall) reached('before the call');
      return name === 'withdrawals' ? withdrawals : (Reflect.get(target, name) as unknown);
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

/** Rows whose `insert` and `update` are steps. */
function watchedRows<Rows extends { insert(row: never): unknown; update(row: never): unknown }>(
  rows: Rows,
  { reached, changes }: Change,
  nameOf: (method: 'insert' | 'update', row: Row) => string,
  onUse: (method: string) => void = () => undefined,
): Rows {
  return new Proxy(rows, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        onUse(String(name));
        const write = (): unknown => Reflect.apply(value, target, given) as unknown;
        if (name !== 'insert' && name !== 'update') return write();
        const change = nameOf(name, given[0] as Row);
        reached(`before ${change}`);
        const result = await write();
        reached(`in ${change}`);
        changes.push(change);
        return result;
      };
    },
  });
}

function paymentChange(method: 'insert' | 'update', { status, answer }: Row): string {
  if (method === 'insert') return 'claimed';
  return status === 'settled' && answer !== null ? 'answered' : status;
}

function withdrawalChange(method: 'insert' | 'update', { status }: Row): string {
  return method === 'insert' ? 'reserved' : status;
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
