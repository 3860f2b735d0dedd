/**
 * The results that probability theory predicts for the round rule (docs/resolution.md, "Rounds"), for voters with known
 * error rates that draw anew in every round. This code shares nothing with the round rule, so that a mistake in either
 * shows.
 */

/**
 * The rates of one voter for a question that has an answer. If the voter is neither right nor wrong, it
 * abstains.
 */
export interface VoterRates {
  right: number;
  wrong: number;
}

export interface Population {
  name: string;
  voters: readonly VoterRates[];
  /** The share of rounds in which all voters follow one draw, like models that learnt from the same texts. */
  shared: number;
}

/** The chances of the four possible results of a round in which all voters vote. The chances add up to 1. */
export interface RoundChances {
  right: number;
  wrong: number;
  silent: number;
  split: number;
}

export function roundChances({ voters, shared }: Population): RoundChances {
  const apart = chances({
    right: product(voters.map(({ right }) => right)),
    wrong: product(voters.map(({ wrong }) => wrong)),
    silent: product(voters.map(({ right, wrong }) => 1 - right - wrong)),
  });
  // One draw u in [0, 1) decides for all voters. A voter is right if u is below its `right`, and wrong if u is
  // at least 1 - `wrong`.
  const firstWrong = Math.min(...voters.map(({ wrong }) => 1 - wrong));
  const together = chances({
    right: Math.min(...voters.map(({ right }) => right)),
    wrong: Math.min(...voters.map(({ wrong }) => wrong)),
    silent: Math.max(0, firstWrong - Math.max(...voters.map(({ right }) => right))),
  });
  return {
    right: mix(apart.right, together.right, shared),
    wrong: mix(apart.wrong, together.wrong, shared),
    silent: mix(apart.silent, together.silent, shared),
    split: mix(apart.split, together.split, shared),
  };
}

export interface RuleChances {
  right: number;
  wrong: number;
  escalated: number;
}

type Unanimous = 'right' | 'wrong' | null;

/**
 * The chances of each end of a market. There are further rounds until the round rule decides, or escalates after
 * `maxDisagreements`.
 */
export function ruleChances(round: RoundChances, maxDisagreements: number): RuleChances {
  return from(0, false, null);

  /**
   * Recursion over three things: the number of disagreements so far, whether voters have contradicted each
   * other, and the agreed outcome of the last round.
   */
  function from(disagreements: number, hasSplit: boolean, last: Unanimous): RuleChances {
    if (disagreements >= maxDisagreements) return { right: 0, wrong: 0, escalated: 1 };
    const agreed = (outcome: 'right' | 'wrong'): RuleChances => {
      if (!hasSplit || last === outcome) return { right: 0, wrong: 0, escalated: 0, [outcome]: 1 };
      return from(disagreements + (last === null ? 0 : 1), true, outcome);
    };
    return sum([
      times(round.right, agreed('right')),
      times(round.wrong, agreed('wrong')),
      times(round.split, from(disagreements + 1, true, null)),
      times(round.silent, from(disagreements + 1, hasSplit, null)),
    ]);
  }
}

/**
 * The chances of another rule, for comparison: a majority of the voters decides at once. Voters that abstain
 * count as voters.
 */
export function majorityChances(population: Population): Pick<RuleChances, 'right' | 'wrong'> {
  const { voters, shared } = population;
  const needed = Math.floor(voters.length / 2) + 1;
  const together = roundOfOneDraw(voters, needed);
  return {
    right: mix(
      atLeast(
        voters.map(({ right }) => right),
        needed,
      ),
      together.right,
      shared,
    ),
    wrong: mix(
      atLeast(
        voters.map(({ wrong }) => wrong),
        needed,
      ),
      together.wrong,
      shared,
    ),
  };
}

/** With one draw for all voters, the round depends on the `needed` voters that are most likely to agree. */
function roundOfOneDraw(voters: readonly VoterRates[], needed: number): Pick<RuleChances, 'right' | 'wrong'> {
  const leastLikelyOfTheNeeded = (rates: readonly number[]): number =>
    rates.toSorted((a, b) => b - a)[needed - 1] ?? 0;
  return {
    right: leastLikelyOfTheNeeded(voters.map(({ right }) => right)),
    wrong: leastLikelyOfTheNeeded(voters.map(({ wrong }) => wrong)),
  };
}

function atLeast(rates: readonly number[], needed: number): number {
  // `chances[n]`: that exactly n of the events so far have happened (the Poisson binomial distribution).
  let chances = [1];
  for (const rate of rates)
    chances = [...chances, 0].map((same, n) => same * (1 - rate) + (chances[n - 1] ?? 0) * rate);
  return chances.slice(needed).reduce((total, chance) => total + chance, 0);
}

function chances({ right, wrong, silent }: Omit<RoundChances, 'split'>): RoundChances {
  return { right, wrong, silent, split: 1 - right - wrong - silent };
}
const product = (factors: readonly number[]): number => factors.reduce((total, factor) => total * factor, 1);
const mix = (apart: number, together: number, shared: number): number =>
  apart * (1 - shared) + together * shared;
const times = (chance: number, of: RuleChances): RuleChances => ({
  right: chance * of.right,
  wrong: chance * of.wrong,
  escalated: chance * of.escalated,
});
const sum = (parts: readonly RuleChances[]): RuleChances =>
  parts.reduce((total, part) => ({
    right: total.right + part.right,
    wrong: total.wrong + part.wrong,
    escalated: total.escalated + part.escalated,
  }));
