/** The sentences of src/ports/payout.ts, under the names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  order:
    'A payout is never paid twice, whichever process crashes, because both sides keep to an order: `prepare` decides everything and sends nothing; the caller stores the state that it returned; only then `submit` sends it, and may be repeated any number of times.',
  once: 'The payout of a state can happen at most once.',
  state: 'A text in which the adapter keeps what it needs later; the caller stores it and does not read it.',
  never: 'It can never be paid.',
  notNow: 'Not now: the treasury has too little, or a node cannot be reached.',
  busy: 'Not now: the adapter has as many under way as it can handle.',
  pending: 'Under way, or not known now: the caller submits it again.',
  trouble: '`trouble` says why it may not end by itself, and raises an alarm.',
  renewed: 'The payment has a new form: the caller stores this state, then submits it.',
  exclude: 'Only one of the two states can happen.',
  failed: 'It has failed, has moved no money, and cannot move any later.',
  lost: 'It has not happened and can never happen: the caller may prepare it again.',
  proof: 'This needs positive proof: a payout that was only not found is `pending`.',
  atOnce: 'How many payouts may be checked and submitted at the same time; default 1.',
  sendsNothing: 'Sends nothing.',
  outstanding:
    '`outstanding` are the states of all payouts that are stored and not ended; the caller prepares one at a time, over all processes.',
  foreign: 'They include the states of another adapter that was used before.',
  keeps: 'Such a state does not keep a payout from being prepared.',
  sends: 'Sends the payout of the state.',
  rejection: 'A rejection means that it is not known whether it was sent.',
  became: 'The progress of the payout.',
  looks: 'Sends nothing; rejects when that cannot be found out.',
  notOurs: 'For the state of another adapter it is `pending`, with a `trouble`.',
} as const;

export type PayoutSentence = keyof typeof SENTENCES;

export const PAYOUT_CONTRACT: Contract<PayoutSentence> = { port: 'Payout', sentences: SENTENCES };

/** Sentences that bind the caller, or only say what a field contains. */
export const PAYOUT_EXPLANATIONS: readonly string[] = [
  "Sends withdrawals: pays wallets on a chain, out of the house's treasury.",
  'The id of the withdrawal, which is never used again.',
  'Base units of the token.',
  'CAIP-2, `eip155:8453`.',
  'The token contract.',
  '`prepare` is always called alone.',
];
