/** The sentences of src/ports/facilitator.ts, under names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  values:
    'The outcomes that a caller has to handle are values; a rejected promise means that nothing is known.',
  forms: 'How the payer wrote the payment: the flat header, or a version of the x402 protocol.',
  spent:
    "The token says that this authorization's nonce is spent, whoever submitted it: `lookup` tells whether it paid.",
  transaction: '`transaction` is `null` where the payment is certain and its hash is not known.',
  invalid: 'Nothing was moved, and nothing of this call can be moved any more.',
  unavailable: 'Nothing was submitted.',
  unknown: 'It may or may not have been submitted, or is pending: look it up before anything else.',
  paid: 'It paid `payTo` the amount, whoever submitted it.',
  unused: 'The token has not seen it.',
  safeAgain: 'To settle it (again) is safe: one authorization moves money once.',
  spentElsewhere: 'Spent without paying us (cancelled, say), or it can never be settled.',
  nobodyKnows: 'Pending, or nobody can tell now.',
  moves: 'Moves the money.',
  once: 'Called again with the same payment after an unknown outcome: an implementation (or the token behind it) must not move it twice.',
  lookup: 'What became of an authorization.',
  changesNothing: 'Changes nothing.',
  spentAt: 'Time of the block that spent it, Unix seconds.',
  asOf: 'Time of the newest block that was looked at, Unix seconds.',
  chainTime:
    '`asOf`: the time of the newest block that was looked at, Unix seconds; where there is one the chain decides when the window has ended, and `lookup` then answers `invalid`.',
  supported: 'Which kinds of payments it takes.',
} as const;

export type FacilitatorSentence = keyof typeof SENTENCES;

export const FACILITATOR_CONTRACT: Contract<FacilitatorSentence> = {
  port: 'Facilitator',
  sentences: SENTENCES,
};

/** What only says what a field holds. */
export const FACILITATOR_EXPLANATIONS: readonly string[] = [
  "Who verifies and settles a payer's EIP-3009 authorization (x402).",
  'That alone does not say for whom: another deployment with the same `payTo` may have served its request already.',
  'The times tell whether it was spent after it was presented here.',
  'Left out where it is not known.',
  'Left out where there is no chain to ask.',
  "Whether the facilitator's own settler sent the transaction.",
  'Left out where that is not known.',
  'Base units, decimal.',
  'Unix seconds, decimal.',
  '32 bytes, 0x-hex.',
  'What is paid for.',
  'Absolute address.',
  'CAIP-2, `eip155:8453`.',
  'The token contract.',
  'EIP-712 domain of the token.',
  'One way of paying that a facilitator takes: `/supported` of the x402 protocol.',
  'As the facilitator writes it: `base` in version 1, `eip155:8453` in version 2.',
];
