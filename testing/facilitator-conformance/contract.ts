/** The sentences of src/ports/facilitator.ts, under the names that tests cite. */
import { CURES } from '../conformance/cures';
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  values:
    'The outcomes that a caller has to handle are values; after a rejected promise the outcome is not known.',
  reason:
    'A `reason` is one line without a secret: operators read it, and the payer reads that of `invalid`.',
  ends: 'Every call ends by itself, so an adapter that asks a service has a time limit of its own.',
  understood:
    'An HTTP error, or an answer that an adapter does not recognise, tells it nothing about a payment.',
  recovers: 'When the cause of a failure is over, the next call is answered again.',
  redirect: 'An adapter sends no secret to the address of a redirect.',
  spelling:
    'An address means the same in lower case and in EIP-55 form, and both forms occur in payments and requirements.',
  fits: 'A payment that the payer has not signed for these requirements (another recipient, amount, token or network) is not valid, and moves no money.',
  name: 'One line without a secret, because hosts log it.',
  forms: 'The form in which the payer wrote the payment: the flat header, or a version of the x402 protocol.',
  spent: 'Any sender may have used it, so `lookup` tells whether that transfer paid us.',
  transaction: '`transaction` is `null` if the payment is certain and its hash is not known.',
  invalid: 'No money was moved, and this call cannot move any later.',
  unavailable: 'Nothing was submitted.',
  unknown:
    'The payment may have been submitted, or is pending: the caller calls `lookup` before it settles again.',
  paid: 'The authorization has paid the amount to `payTo`; any sender may have submitted it.',
  unused: 'The token has not used the authorization.',
  safeAgain:
    'The caller may settle the authorization (again), because one authorization moves money at most once.',
  spentElsewhere:
    'The authorization was spent without paying us (for example cancelled), or it can never be settled.',
  nobodyKnows: 'The settlement is pending, or its outcome cannot be found out now.',
  moves: 'Moves the money.',
  once: 'The caller may call it again with the same payment after an unknown outcome: an implementation (or the token behind it) must not move the money twice.',
  lookup: 'Finds out what became of an authorization.',
  changesNothing: 'Changes nothing.',
  spentAt: 'The time of the block that spent the authorization, in Unix seconds.',
  asOf: 'The time of the newest block that was looked at, in Unix seconds.',
  chainTime:
    "A facilitator that gives `asOf` answers `invalid` once the chain's time is past the window, so the caller need not use its own clock.",
  playMoney: '`true`: payments move no real money.',
  realMoney: '`false`: they do.',
  address: 'The address that sends the settlements, if the adapter sends them with a key of its own.',
  chainId: "The id of the chain of the adapter's node, if it has a node.",
  chainAway: 'Rejects when the node does not answer.',
  sender: "Whether the facilitator's own settler sent the transaction.",
  supported: 'The kinds of payments that the facilitator accepts.',
} as const;

export type FacilitatorSentence = keyof typeof SENTENCES;

const SUBMITTED =
  'After a request that may have arrived, let `settle` answer `unknown`. Answer `unavailable` only if the connection was refused or the service itself says that it has taken nothing.';

export const ONCE =
  'Let the token decide: it takes a nonce once. Answer `spent` or the first result to a second `settle`.';

const FACILITATOR_CURES: Readonly<Partial<Record<FacilitatorSentence, string>>> = {
  values:
    'Answer with the status that fits. Catch the errors of the service: let `verify`, `settle` and `supported` answer `unavailable` or `unknown`, and `lookup` `unknown`.',
  reason: CURES.secret,
  ends: CURES.timeLimit,
  understood:
    'Use an answer only if its HTTP status is that of a success and each field that you need has the right form.',
  recovers: 'Keep no failure in memory: ask the service anew in every call.',
  redirect: CURES.redirect,
  spelling: CURES.spelling,
  fits: 'Compare the payment with the requirements of the same call, or pass both to the service: not with the options of the adapter.',
  name: 'Give the adapter a name of one line, without a key and without an address.',
  spent:
    'Ask in every call whether the nonce is used, before you look at the balance, and remember no earlier answer.',
  transaction:
    'Give the hash of the transaction, 0x and 64 hexadecimal digits, or `null` if the service gives none.',
  invalid:
    'Answer `invalid` exactly for what the token can never accept. An HTTP error is no refusal, and a payment that was settled before is not invalid.',
  unavailable: SUBMITTED,
  unknown:
    'Answer `settled` only if the service says that the money has moved. After a request that may have arrived, answer `unknown`.',
  paid: 'Answer `settled` only for this payer, nonce, recipient and amount.',
  nobodyKnows:
    'Answer `unused` or `invalid` only if the service itself says so. In all other cases answer `unknown`.',
  once: ONCE,
  safeAgain: ONCE,
  changesNothing: 'Let `verify` and `lookup` only ask. Submit in `settle`.',
  spentAt: 'Take the time of the block that has the transaction, and convert milliseconds to seconds.',
  asOf: 'Take the time of the newest block, and convert milliseconds to seconds.',
  chainTime: 'Compare `validBefore` with the time of the newest block, and answer `invalid` when it is past.',
  chainAway: 'Ask the node for its chain id, and let the rejection pass.',
  supported: 'Answer `unavailable` if the list of the service cannot be read.',
  sender:
    'Compare the sender of the transaction with the address of your settler, or leave `sentBySettler` out.',
};

export const FACILITATOR_CONTRACT: Contract<FacilitatorSentence> = {
  port: 'Facilitator',
  where: 'docs/facilitator-adapters.md, and the comments of src/ports/facilitator.ts',
  sentences: SENTENCES,
  cures: FACILITATOR_CURES,
};

/** Sentences of the port that the suite does not check. */
export const FACILITATOR_EXPLANATIONS: readonly string[] = [
  'What the payer signs: a transfer of EIP-3009.',
  'Says whether the payment can be settled for these requirements.',
  'The service compares this with the payout and with its books before it starts.',
  'Default: not known, and the books are compared with the payout alone.',
  'The payout must send from another address.',
  'The service does not start with the node of another chain than its option `network`.',
  "The facilitator port: it verifies and settles a payer's EIP-3009 authorization (x402).",
  'The token says that the nonce of this authorization is used.',
  'That alone is no reason to serve the request: another deployment with the same `payTo` may have served its own request for this payment already.',
  'The times tell whether the authorization was spent after it was presented here.',
  '`asOf` is the time of the newest block that was looked at, in Unix seconds.',
  'Left out if that block is not known.',
  'Left out if there is no chain to ask.',
  'Left out if the sender is not known.',
  'In base units, as a decimal text.',
  'In Unix seconds, as a decimal text.',
  'A number of 32 bytes, as 0x-hex.',
  'The terms that a 402 answer states.',
  'The resource that is paid for.',
  'The absolute address of the resource.',
  'The network in CAIP-2, such as `eip155:8453`.',
  'The address of the token contract.',
  'The name in the EIP-712 domain of the token.',
  'A kind of payment that a facilitator accepts, as in `/supported` of the x402 protocol.',
  'The network as the facilitator writes it: `base` in version 1, `eip155:8453` in version 2.',
];
