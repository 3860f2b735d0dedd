/** The sentences of src/ports/payout.ts, under the names that tests cite. */
import { CURES } from '../conformance/cures';
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  order:
    'A payout is never paid twice, whichever process crashes, because adapter and caller keep to an order: `prepare` decides everything and sends nothing; the caller stores the state that `prepare` returned; only then `submit` sends the payout, and may be repeated any number of times.',
  once: 'The payout of a state can happen at most once.',
  secret:
    'The name, a state, a reason, a trouble and the message of an error are stored or shown to operators: they contain no secret, and all but the state are one line.',
  redirect:
    'A secret goes only to the services that the adapter asks: an adapter sends none to the address of a redirect.',
  elsewhere: 'An adapter that does not pay on the network or in the token of an order prepares no payout.',
  spelling:
    'An address means the same in lower case and in EIP-55 form, so an adapter compares addresses without regard to case.',
  state: 'A text in which the adapter keeps what it needs later; the caller stores it and does not read it.',
  never: 'The order can never be paid.',
  notNow:
    'The order cannot be paid now, for example because the treasury has too little or a node cannot be reached.',
  busy: 'The order cannot be paid now: the adapter has as many payouts under way as it can handle.',
  pending: 'The payout is under way, or its progress is not known now: the caller submits it again.',
  ending:
    '`ending` says that the payout will soon end by itself, such as in a block that is not deep enough yet: then operators cannot fail it.',
  trouble: '`trouble` says why the payout may not end by itself, and raises an alarm.',
  renewed:
    'The adapter has prepared the payout anew, such as with a higher fee: the caller stores this state, then submits it.',
  exclude: 'At most one of the two payouts can happen.',
  paid: 'The wallet has received the amount of the order.',
  failed: 'The payout has failed, has moved no money, and cannot move any later.',
  lost: 'The payout has not happened and can never happen: the caller may prepare the order again.',
  proof: '`lost` needs positive proof: a payout that was only not found is `pending`.',
  atOnce: 'How many payouts may be checked and submitted at the same time; default 1.',
  sendsNothing: 'Sends nothing.',
  outstanding:
    '`outstanding` are the states of all payouts that are stored and not ended; the caller prepares one payout at a time, over all processes.',
  foreign: '`outstanding` includes the states of another adapter that was used before.',
  keeps: 'The state of another adapter must not stop `prepare`.',
  sends: 'Sends the payout of the state; rejects when the service that pays cannot be reached, or fails.',
  ends: 'Every call ends by itself, so an adapter that asks a service has a time limit of its own.',
  rejection: 'After a rejection it is not known whether the payout was sent.',
  became: 'The progress of the payout.',
  looks: 'Sends nothing; rejects when the progress cannot be found out.',
  notOurs:
    'For the state of another adapter the progress is `pending`, with a `trouble` and `unknown: true`.',
} as const;

export type PayoutSentence = keyof typeof SENTENCES;

const PROOF =
  'Answer `lost` or `failed` only if the service itself says so about this payout. In all other cases answer `pending`, or reject.';

const PAYOUT_CURES: Readonly<Partial<Record<PayoutSentence, string>>> = {
  once: 'Make one idempotency key or nonce for each state in `prepare`, keep it in the state, and send it with every `submit`.',
  secret: CURES.secret,
  redirect: CURES.redirect,
  elsewhere: 'Let `prepare` answer `refused` if the network or the token of the order is not yours.',
  spelling: CURES.spelling,
  notNow:
    'Answer `refused` only for an order that can never be paid. If it cannot be paid now, answer `unavailable`, and do not reject.',
  state: 'Put all that `submit` and `check` need into the state. Another process has nothing else.',
  paid: 'Answer `confirmed` only when the service has paid this state, and pass the amount on as a `bigint` or a text, without a fee.',
  exclude: 'Give the new state the nonce or the idempotency key of the old one.',
  failed: PROOF,
  lost: PROOF,
  proof: PROOF,
  sendsNothing: 'Let `prepare` only write down how the order is paid. Send it in `submit`.',
  looks: 'Let `check` only ask. Send in `submit`.',
  outstanding:
    'Subtract the amounts of all states in `outstanding` from the balance, as `bigint`. States that have ended are not among them.',
  keeps: 'Pass over the states in `outstanding` that you cannot read.',
  sends: 'Let `submit` reject after every answer that does not say that the service has taken the payout.',
  ending:
    'Answer `ending: true` while the service shows that the payout has happened or has failed, and this may still change. In all other cases leave it out.',
  ends: CURES.timeLimit,
  notOurs:
    "Write a value into your states that no other adapter writes. For any text without it, also `null` or no JSON, answer `{ status: 'pending', trouble, unknown: true }`.",
};

export const PAYOUT_CONTRACT: Contract<PayoutSentence> = {
  port: 'Payout',
  where: 'docs/payout-adapters.md, and the comments of src/ports/payout.ts',
  sentences: SENTENCES,
  cures: PAYOUT_CURES,
};

/** Sentences of the port that the suite does not check. */
export const PAYOUT_EXPLANATIONS: readonly string[] = [
  '`true`: withdrawals move no real money.',
  '`false`: they do, and the service does not start with books that hold other money, or with payments in play money.',
  'Default: not known.',
  'Then the service does not start with books that it knows to hold play money.',
  'The address that pays, if the adapter pays with a key of its own.',
  'The facilitator must send from another address.',
  "The id of the chain of the adapter's node, if it has a node.",
  'Rejects when the node does not answer.',
  'The service does not start with the node of another chain than its option `network`.',
  '`unknown` says that the progress cannot be found out: then operators cannot fail the payout in its first hour, because another instance may be sending it.',
  "The payout port: it sends withdrawals, which pay wallets on a chain out of the house's treasury.",
  'The id of the withdrawal, which is never used again.',
  'In base units of the token.',
  'The network in CAIP-2, such as `eip155:8453`.',
  'The address of the token contract.',
  'A call that takes longer than 45 s counts as rejected, and the caller ignores its late result.',
  '`prepare` is always called alone.',
  'The order to pay one withdrawal.',
  'The service gives the addresses of an order in lower case.',
  'Decides how the order is paid, such as by which transaction.',
];
