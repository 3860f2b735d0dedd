/** A payout adapter whose calls end in time. */
import type { Payout } from '../../ports/payout';
import { startTimeLimit, unlessAborted } from '../../ports/time-limit';
import type { Timers } from '../../ports/timers';

/**
 * A call of the adapter that takes longer counts as failed, and its late result is ignored. Otherwise one call without
 * an end would stop all withdrawals.
 */
export const PAYOUT_TIME_LIMIT_MS = 45_000;

const closes = (): Error => new Error('the service closes');

/**
 * The three calls of the adapter. Each rejects when its time is over, and when `signal` is aborted, because the service
 * closes then. A payout is stored before it is submitted, so an aborted call loses nothing: a later run repeats it.
 */
export function timedPayout(
  payout: Payout,
  timers: Timers,
  signal: AbortSignal | undefined,
): Pick<Payout, 'name' | 'playMoney' | 'prepare' | 'submit' | 'check'> {
  async function timed<T>(call: () => Promise<T>): Promise<T> {
    if (signal?.aborted === true) throw closes();
    const limit = startTimeLimit(timers, PAYOUT_TIME_LIMIT_MS);
    const task = limit.race(Promise.resolve().then(call));
    try {
      return await (signal === undefined ? task : unlessAborted(signal, task, closes));
    } finally {
      limit.end();
    }
  }
  return {
    name: payout.name,
    ...(payout.playMoney !== undefined && { playMoney: payout.playMoney }),
    prepare: (order, outstanding) => timed(() => payout.prepare(order, outstanding)),
    submit: (state) => timed(() => payout.submit(state)),
    check: (state) => timed(() => payout.check(state)),
  };
}
