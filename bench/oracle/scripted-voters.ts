/** Voters with known error rates, in place of models. They vote in rounds until `decideRound` ends the question. */
import {
  decideRound,
  DEFAULT_ROUND_RULES,
  NO_ROUNDS,
  type RoundDecision,
} from '../../src/domain/oracle/rounds';
import type { DecisiveOutcome, Vote } from '../../src/domain/oracle/vote';
import { opposite } from './questions';
import type { Population, VoterRates } from './theory';

/** A number from 0 to below 1. */
export type Random = () => number;

/** The generator "mulberry32". It is small, and the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function scriptedVotes(
  { voters, shared }: Population,
  truth: DecisiveOutcome,
  random: Random,
): Vote[] {
  const common = random() < shared ? random() : null;
  return voters.map((rates, index) => voteOf(`voter-${index + 1}`, rates, truth, common ?? random()));
}

function voteOf(oracle: string, { right, wrong }: VoterRates, truth: DecisiveOutcome, draw: number): Vote {
  if (draw < right) return vote(oracle, truth);
  return vote(oracle, draw >= 1 - wrong ? opposite(truth) : 'UNKNOWN');
}

function vote(oracle: string, outcome: DecisiveOutcome | 'UNKNOWN'): Vote {
  const probability = { YES: 0.97, NO: 0.03, UNKNOWN: 0.5 }[outcome];
  const confidence = outcome === 'UNKNOWN' ? 0 : 0.95;
  return {
    oracle,
    model: null,
    outcome,
    probability,
    confidence,
    citations: [],
    reasoning: '',
    latencyMs: 0,
  };
}

/** Asks round after round until the round rule decides or hands the market to an operator, at most 100 rounds. */
export function playMarket(ask: () => readonly Vote[]): {
  decision: RoundDecision;
  firstRound: readonly Vote[];
} {
  let history = NO_ROUNDS;
  let firstRound: readonly Vote[] = [];
  for (let round = 1; round <= 100; round += 1) {
    const votes = ask();
    if (round === 1) firstRound = votes;
    const result = decideRound(votes, history, DEFAULT_ROUND_RULES);
    if (result.decision.kind !== 'again') return { decision: result.decision, firstRound };
    history = result.history;
  }
  return { decision: { kind: 'again' }, firstRound };
}

export const POPULATIONS: readonly Population[] = [
  { name: 'three voters, 10% wrong, independent', voters: alike(3, { right: 0.85, wrong: 0.1 }), shared: 0 },
  {
    name: 'three voters, 10% wrong, half shared',
    voters: alike(3, { right: 0.85, wrong: 0.1 }),
    shared: 0.5,
  },
  { name: 'three voters, 20% wrong, independent', voters: alike(3, { right: 0.75, wrong: 0.2 }), shared: 0 },
  {
    name: 'a good, a fair and a poor voter',
    voters: [
      { right: 0.9, wrong: 0.05 },
      { right: 0.75, wrong: 0.15 },
      { right: 0.5, wrong: 0.4 },
    ],
    shared: 0.1,
  },
  { name: 'two voters, 10% wrong, independent', voters: alike(2, { right: 0.85, wrong: 0.1 }), shared: 0 },
  { name: 'five voters, 10% wrong, independent', voters: alike(5, { right: 0.85, wrong: 0.1 }), shared: 0 },
];

function alike(count: number, rates: VoterRates): VoterRates[] {
  return Array.from({ length: count }, () => rates);
}
