/** Facilitators whose service carries out a submission a moment later, so that `settle` answers `unknown`. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FacilitatorUnderTest } from '../../../testing';
import {
  AMOUNT,
  facilitatorWith,
  sound,
  transactionOf,
  type FacilitatorFault,
  type World,
} from './facilitator-world';

const MOMENT_MS = 2;
const QUEUED = { status: 'unknown', reason: 'queued' } as const;

/** The facilitator under test with a service that needs a moment for each submission. */
export const slowly = (fault: FacilitatorFault = sound): FacilitatorUnderTest => ({
  ...facilitatorWith(fault, slowService),
  wait: () => pause(MOMENT_MS),
});

function slowService(play: World['play']): World['play'] {
  const queue = new Set<string>();
  return {
    ...play,
    async settle(...input) {
      const { status } = await play.verify(...input);
      if (status !== 'valid') return play.settle(...input);
      queue.add(transactionOf(input[0]));
      setTimeout(
        () => void play.settle(...input).then(() => queue.delete(transactionOf(input[0]))),
        MOMENT_MS,
      );
      return QUEUED;
    },
    lookup: async (...input) => (queue.has(transactionOf(input[0])) ? QUEUED : play.lookup(...input)),
  };
}

/** Its service moves the money, and no look-up finds that out. */
export const neverSaysWhatBecame: FacilitatorFault = (slow) => ({
  lookup: async (...input) => {
    const found = await slow.lookup(...input);
    return found.status === 'settled' ? QUEUED : found;
  },
});

/** Its service loses each submission, and no look-up says so. */
export const losesWhatItTakes: FacilitatorFault = (slow) => {
  const taken = new Set<string>();
  return {
    settle: async (payment) => {
      taken.add(transactionOf(payment));
      return QUEUED;
    },
    lookup: async (...input) => (taken.has(transactionOf(input[0])) ? QUEUED : slow.lookup(...input)),
  };
};

/** Its service loses each submission, and each look-up calls the payment unused. */
export const takesNothing: FacilitatorFault = () => ({ settle: async () => QUEUED });

/** Its look-up says `settled` before the money has moved. */
export const findsWhatIsQueued: FacilitatorFault = (slow) => ({
  lookup: async (...input) => {
    const found = await slow.lookup(...input);
    return found.status === 'unknown' && found.reason === 'queued'
      ? { status: 'settled', transaction: transactionOf(input[0]), spentAt: Math.floor(Date.now() / 1000) }
      : found;
  },
});

/** Its service executes a repeated submission as a further payment, a moment later. */
export const paysCopiesLater: FacilitatorFault = (slow, world) => {
  const taken = new Set<string>();
  return {
    async settle(...input) {
      if (!taken.has(transactionOf(input[0]))) {
        taken.add(transactionOf(input[0]));
        return slow.settle(...input);
      }
      setTimeout(() => (world.moved += AMOUNT), MOMENT_MS);
      return QUEUED;
    },
  };
};
