/**
 * Checks an oracle's answer when it arrives, because an adapter may have defects and its data come from
 * outside. No part of an answer is used, stored or shown before this check.
 */
import { citationsOf, recordOf } from './citations';
import { shortText } from './short-text';
import { failedVote, verdictProblem, VOTE_LIMITS, type OracleOutcome, type Vote } from './vote';

export interface ReceivedAnswer {
  /**
   * The oracle's answer as one vote, by which an authority decides. If its figures cannot be used, the vote is
   * a failed one.
   */
  own: Vote;
  /**
   * One vote for each voter, also for failed voters. Judges decide by these votes. If the oracle names no
   * voters, the list contains only `own`.
   */
  votes: readonly Vote[];
}

export interface Asked {
  oracle: string;
  latencyMs: number;
}

/** Checks an answer. Never throws: a vote whose figures cannot be used becomes a failed vote. */
export function receiveAnswer(answer: unknown, asked: Asked): ReceivedAnswer {
  try {
    return received(answer, asked);
  } catch {
    // A getter or a proxy of the adapter has thrown an error.
    return onlyVote(failedVote({ ...asked, model: null }, 'the answer cannot be read'));
  }
}

function received(answer: unknown, asked: Asked): ReceivedAnswer {
  const { votes } = recordOf(answer);
  if (votes !== undefined && !Array.isArray(votes))
    return onlyVote(failedVote({ ...asked, model: null }, 'the votes are not a list'));
  const named = (votes ?? []) as unknown[];
  if (named.length > VOTE_LIMITS.votes) {
    // An answer with too many votes is refused whole, because reading only some votes could leave out the one
    // that disagrees.
    const problem = `the answer has ${named.length} votes; at most ${VOTE_LIMITS.votes} are read`;
    return onlyVote(failedVote({ ...asked, model: null }, problem));
  }
  const own = receiveVote(answer, asked);
  return { own, votes: named.length === 0 ? [own] : named.map((vote) => receiveVote(vote, asked)) };
}

export function noAnswer(asked: Asked, error: string): ReceivedAnswer {
  return onlyVote(failedVote({ ...asked, model: null }, errorText(error)));
}

function onlyVote(vote: Vote): ReceivedAnswer {
  return { own: vote, votes: [vote] };
}

function receiveVote(given: unknown, asked: Asked): Vote {
  const said = recordOf(given);
  const { outcome, probability, confidence } = said;
  const voter = {
    oracle: nameOf(said.oracle) ?? asked.oracle,
    model: nameOf(said.model),
    latencyMs: amountOf(said.latencyMs) ?? asked.latencyMs,
  };
  if (said.error !== undefined) {
    const error = typeof said.error === 'string' && said.error !== '' ? said.error : 'the voter failed';
    return { ...failedVote(voter, errorText(error)), ...spendingOf(said) };
  }
  const problem = verdictProblem({ outcome, probability, confidence });
  // A vote that cannot be used counts in the budget too, because the operator has paid for it.
  if (problem !== null) return { ...failedVote(voter, problem), ...spendingOf(said) };
  return {
    ...voter,
    outcome: outcome as OracleOutcome,
    probability: probability as number,
    confidence: confidence as number,
    citations: citationsOf(said.citations),
    reasoning: typeof said.reasoning === 'string' ? shortText(said.reasoning, VOTE_LIMITS.reasoning) : '',
    ...spendingOf(said),
  };
}

function spendingOf({ costUsd, tokens, promptHash }: Record<string, unknown>): Partial<Vote> {
  const cost = amountOf(costUsd);
  const count = amountOf(tokens);
  return {
    ...(cost !== null && { costUsd: cost }),
    ...(count !== null && { tokens: count }),
    ...(typeof promptHash === 'string' && /^[0-9a-f]{64}$/.test(promptHash) && { promptHash }),
  };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? shortText(value, VOTE_LIMITS.name) : null;
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Only the first line of the text: a stack trace or the body of an answer may follow in the next lines. */
function errorText(error: string): string {
  const [line = ''] = error.trim().split(/[\r\n\u2028\u2029]/, 1);
  return shortText(line, VOTE_LIMITS.text) || 'the voter failed';
}
