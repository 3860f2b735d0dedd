import { startChild, type Child } from './child';
import { until } from '../../support/until';

export interface Records {
  sent: Set<string>;
  /** Trade ids by idempotency key. */
  acknowledged: Map<string, number>;
}

export function newRecords(): Records {
  return { sent: new Set(), acknowledged: new Map() };
}

export interface TraderProcess {
  child: Child;
  run: string;
  acknowledged(): number;
  hasAcknowledged(count: number): Promise<void>;
}

/** `script` has to print `order <key>` before an order and `ack <key> <trade id>` after its answer. */
export function startTrader(records: Records, run: string, script: string, args: string[]): TraderProcess {
  const child = startChild(script, args);
  let own = 0;
  child.onLine((line) => {
    const [word, key = '', id] = line.split(' ');
    if (word === 'order') records.sent.add(key);
    if (word !== 'ack') return;
    own += 1;
    records.acknowledged.set(key, Number(id));
  });
  return {
    child,
    run,
    acknowledged: () => own,
    async hasAcknowledged(count) {
      const early = child.ended.then((how) => {
        if (own < count) throw new Error(`trader ${run} ended with ${how}: ${child.errors()}`);
      });
      await Promise.race([
        until(() => own >= count, { what: () => `${count} trades of ${run}, got ${own}` }),
        early,
      ]);
    },
  };
}
