/** Facilitators with a wrong optional member, or a wrong field that says who did what. */
import type { Facilitator } from '../../../src/ports/facilitator';
import type { FacilitatorFault } from './facilitator-world';

const withMembers =
  (members: object): FacilitatorFault =>
  () =>
    members as Partial<Facilitator>;

export const saysInWordsWhatItMoves = withMembers({ playMoney: 'no' });
export const hasNoAddress = withMembers({ address: 'the settler' });
export const isOnAnotherChain = withMembers({ chainId: async () => 1 });

/** Gives 0 in place of a rejection. */
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
