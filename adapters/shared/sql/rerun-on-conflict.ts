import { setTimeout as delay } from 'node:timers/promises';
import { serviceUnavailable } from '../../../src/domain/errors';
import { RerunTransaction } from './driver-errors';

const MAX_RERUNS = 5;
const BASE_DELAY_MS = 4;

/**
 * Runs an attempt again when it ends with `RerunTransaction`, at most five times, with random pauses between. Then it
 * rejects with SERVICE_UNAVAILABLE. `onConflict` is called for each conflict, with `givenUp` if it rejects now.
 */
export async function withReruns<T>(
  attempt: () => Promise<T>,
  onConflict: (conflict: RerunTransaction, givenUp: boolean) => void,
): Promise<T> {
  for (let rerun = 0; ; rerun += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RerunTransaction)) throw error;
      onConflict(error, rerun === MAX_RERUNS);
      if (rerun === MAX_RERUNS) throw serviceUnavailable('Too many conflicting transactions', error);
      // This random pause only keeps conflicting transactions apart. No stored value depends on it.
      await delay(Math.random() * BASE_DELAY_MS * 2 ** rerun);
    }
  }
}
