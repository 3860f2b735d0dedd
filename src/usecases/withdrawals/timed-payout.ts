/** A payout adapter whose calls end in time. */
import type { Payout } from '../../ports/payout';
import { withinTime } from '../../ports/time-limit';
import type { Timers } from '../../ports/timers';

/**
 * A call of the adapter that takes longer counts as failed, and its late result is ignored. Otherwise one call without
 * an end would stop all withdrawals, and would keep the service from closing.
 */
export const PAYOUT_TIME_LIMIT_MS = 15_000;

/** The three calls of the adapter, each with the time limit. Each rejects when the time is over. */
export function timedPayout(
  payout: Payout,
  timers: Timers,
): Pick<Payout, 'name' | 'playMoney' | 'prepare' | 'submit' | 'check'> {
  const timed = <T>(call: () => Promise<T>): Promise<T> =>
    withinTime(timers, PAYOUT_TIME_LIMIT_MS, Promise.resolve().then(call));
  return {
    name: payout.name,
    ...(payout.playMoney !== undefined && { playMoney: payout.playMoney }),
    prepare: (order, outstanding) => timed(() => payout.prepare(order, outstanding)),
    submit: (state) => timed(() => payout.submit(state)),
    check: (state) => timed(() => payout.check(state)),
  };
}
