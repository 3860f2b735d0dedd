/** The sentences of src/ports/payout.ts, under names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  order:
    'A payout survives every crash without being paid twice because of an order that both sides keep: `prepare` decides everything and sends nothing; the caller stores the state it gave; only then `submit` sends, which may be done again any number of times.',
  once: 'Whatever a state says can happen at most once.',
  state: 'What the adapter has to know again later: its own text, opaque to the caller, who stores it.',
  never: 'It can never be paid.',
  notNow: 'Not now: the treasury is short, or a node cannot be reached.',
  busy: 'Not now: as many are under way as it takes at once.',
  pending: 'Under way, or not known now: `submit` again.',
  trouble: '`trouble` says why it may not end by itself, and raises an alarm.',
  renewed: 'The same payment is offered anew: store this state, then `submit` it.',
  exclude: 'The two exclude each other.',
  failed: 'It has failed, moved nothing, and can move nothing any more.',
  lost: 'It has not happened and can never happen: it may be prepared afresh.',
  proof: 'Only on positive proof; that it was not found proves nothing, and is `pending`.',
  atOnce: 'How many payouts may be checked and submitted at the same time; default 1.',
  sendsNothing: 'Sends nothing.',
  outstanding:
    '`outstanding` are the states of all payouts that are stored and not at their end; the caller prepares one at a time, over all processes.',
  sends: 'Sends what the state says.',
  rejection: 'A rejection means that nobody knows whether it was sent.',
  became: 'What became of it.',
  looks: 'Sends nothing; rejects when that cannot be found out.',
} as const;

export type PayoutSentence = keyof typeof SENTENCES;

export const PAYOUT_CONTRACT: Contract<PayoutSentence> = { port: 'Payout', sentences: SENTENCES };

/** What binds the caller, or only says what a field holds. */
export const PAYOUT_EXPLANATIONS: readonly string[] = [
  "Who pays wallets out of the house's treasury, in the world outside of our books.",
  "Unique for ever: the withdrawal's id.",
  'Base units of the token.',
  'CAIP-2, `eip155:8453`.',
  'The token contract.',
  '`prepare` is always called alone.',
];
