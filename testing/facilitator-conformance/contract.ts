/** The sentences of src/ports/facilitator.ts, under the names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  values:
    'The outcomes that a caller has to handle are values; a rejected promise means that nothing is known.',
  forms: 'How the payer wrote the payment: the flat header, or a version of the x402 protocol.',
  spent:
    "The token says that this authorization's nonce is spent, by any sender: `lookup` tells whether it paid.",
  transaction: '`transaction` is `null` if the payment is certain and its hash is not known.',
  invalid: 'No money was moved, and this call cannot move any later.',
  unavailable: 'Nothing was submitted.',
  unknown: 'It may have been submitted, or is pending: the caller has to look it up first.',
  paid: 'It paid `payTo` the amount, submitted by any sender.',
  unused: 'The token has not used it.',
  safeAgain: 'It is safe to settle it (again): one authorization moves money once.',
  spentElsewhere: 'It was spent without paying us (for example cancelled), or it can never be settled.',
  nobodyKnows: 'Pending, or it cannot be found out now.',
  moves: 'Moves the money.',
  once: 'Called again with the same payment after an unknown outcome: an implementation (or the token behind it) must not move it twice.',
  lookup: 'What became of an authorization.',
  changesNothing: 'Changes nothing.',
  spentAt: 'Time of the block that spent it, Unix seconds.',
  asOf: 'Time of the newest block that was looked at, Unix seconds.',
  chainTime:
    '`asOf`: the time of the newest block that was looked at, Unix seconds; if it is given, the chain decides when the window has ended, and `lookup` then answers `invalid`.',
  supported: 'The kinds of payments that it accepts.',
} as const;

export type FacilitatorSentence = keyof typeof SENTENCES;

export const FACILITATOR_CONTRACT: Contract<FacilitatorSentence> = {
  port: 'Facilitator',
  sentences: SENTENCES,
};

/** Sentences that only say what a field contains. */
export const FACILITATOR_EXPLANATIONS: readonly string[] = [
  "Verifies and settles a payer's EIP-3009 authorization (x402).",
  'That alone is no reason to serve it: another deployment with the same `payTo` may have served its request already.',
  'The times tell whether it was spent after it was presented here.',
  'Left out where it is not known.',
  'Left out where there is no chain to ask.',
  "Whether the facilitator's own settler sent the transaction.",
  'Left out where that is not known.',
  'Base units, decimal.',
  'Unix seconds, decimal.',
  '32 bytes, 0x-hex.',
  'The resource that is paid for.',
  'Absolute address.',
  'CAIP-2, `eip155:8453`.',
  'The token contract.',
  'EIP-712 domain of the token.',
  'A kind of payment that a facilitator accepts, as in `/supported` of the x402 protocol.',
  'As the facilitator writes it: `base` in version 1, `eip155:8453` in version 2.',
];
