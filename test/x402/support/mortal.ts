import type { Facilitator } from '../../../src/ports/facilitator';
import type { Storage, Transaction } from '../../../src/ports/storage';

export interface Mortal {
  readonly steps: readonly string[];
  readonly isDead: boolean;
  /** Steps are counted from this call on. */
  begin(): void;
  step(name: string): void;
  live(): void;
}

/** The process dies at step `diesAt`, counted from 1. With `null` the process does not die. */
export function mortal(diesAt: number | null): Mortal {
  const steps: string[] = [];
  let begun = false;
  let dead = false;
  const live = (): void => {
    if (dead) throw new Error('this process is dead');
  };
  return {
    steps,
    get isDead() {
      return dead;
    },
    live,
    begin: () => void (begun = true),
    step(name) {
      live();
      if (!begun) return;
      steps.push(name);
      if (steps.length === diesAt) dead = true;
      live();
    },
  };
}

/** A transaction that touches payments makes two steps: one at the first touch, and one after the commit. */
export function mortalStorage(inner: Storage, self: Mortal): Storage {
  return {
    ...inner,
    name: inner.name,
    read: async (work) => {
      self.live();
      return inner.read(work);
    },
    async transaction(work) {
      self.live();
      let touched = false;
      const result = await inner.transaction((tx) =>
        work(
          watched(tx, () => {
            if (!touched) self.step('before a transaction');
            touched = true;
          }),
        ),
      );
      if (touched) self.step('after a transaction');
      return result;
    },
  };
}

function watched(tx: Transaction, onPayments: () => void): Transaction {
  return new Proxy(tx, {
    get(target, name) {
      if (name === 'payments') onPayments();
      return Reflect.get(target, name) as unknown;
    },
  });
}

export function mortalFacilitator(inner: Facilitator, self: Mortal): Facilitator {
  const calls =
    <Arguments extends unknown[], Result>(name: string, call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      self.step(`before ${name}`);
      const result = await call(...given);
      self.step(`after ${name}`);
      return result;
    };
  return {
    name: inner.name,
    verify: calls('verify', (payment, requirements) => inner.verify(payment, requirements)),
    settle: calls('settle', (payment, requirements) => inner.settle(payment, requirements)),
    lookup: calls('lookup', (payment, requirements) => inner.lookup(payment, requirements)),
    supported: () => inner.supported(),
  };
}
