/** Facilitators with a wrong optional member, a false `sentBySettler`, or a missing `reason`. */
import type { Facilitator } from '../../../src/ports/facilitator';
import type { FacilitatorFault } from './facilitator-world';

const withMembers =
  (members: object): FacilitatorFault =>
  () =>
    members as Partial<Facilitator>;

export const saysInWordsWhatItMoves = withMembers({ playMoney: 'no' });
export const hasNoAddress = withMembers({ address: 'the settler' });
export const isOnAnotherChain = withMembers({ chainId: async () => 1 });

/** Without its node it returns 0, where it has to reject. */
export const countsNoChain: FacilitatorFault = (_honest, world) => ({
  chainId: async () => (world.isCut ? 0 : 8453),
});

export const claimsToHaveSent: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'settled' ? { ...found, sentBySettler: true } : found;
  },
});

export const givesNoReason: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return 'reason' in settled ? ({ status: settled.status } as typeof settled) : settled;
  },
});
