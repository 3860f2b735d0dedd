/**
 * An oracle's answer on arrival. An adapter may be wrong, and what it passes on comes from outside: nothing of it is
 * used, stored or shown before it was read here.
 */
import { citationsOf, recordOf } from './citations';
import { consensusOf, type Consensus } from './consensus';
import { failedVote, isValid, verdictProblem, VOTE_LIMITS, type OracleOutcome, type Vote } from './vote';

export interface ReceivedAnswer {
  /** The answer itself as a vote; failed when its figures cannot be used. By it an authority decides. */
  own: Vote;
  /** One for each voter, failed ones included; `own` where the oracle names no voters. By them judges decide. */
  votes: readonly Vote[];
}

export interface Asked {
  oracle: string;
  latencyMs: number;
}

/** Never throws. A vote whose figures cannot be used becomes a failed vote. */
export function receiveAnswer(answer: unknown, asked: Asked): ReceivedAnswer {
  try {
    return received(answer, asked);
  } catch {
    // A getter or a proxy of the adapter has thrown.
    return onlyVote(failedVote({ ...asked, model: null }, 'the answer cannot be read'));
  }
}

function received(answer: unknown, asked: Asked): ReceivedAnswer {
  const { votes } = recordOf(answer);
  if (votes !== undefined && !Array.isArray(votes))
    return onlyVote(failedVote({ ...asked, model: null }, 'the votes are not a list'));
  const named = (votes ?? []) as unknown[];
  if (named.length > VOTE_LIMITS.votes) {
    // Leaving some out could leave out the one that dissents.
    const problem = `the answer has ${named.length} votes; at most ${VOTE_LIMITS.votes} are read`;
    return onlyVote(failedVote({ ...asked, model: null }, problem));
  }
  const own = receiveVote(answer, asked);
  return { own, votes: named.length === 0 ? [own] : named.map((vote) => receiveVote(vote, asked)) };
}

/** The answer of an oracle that did not give one. */
export function noAnswer(asked: Asked, error: string): ReceivedAnswer {
  return onlyVote(failedVote({ ...asked, model: null }, shortText(error, VOTE_LIMITS.text)));
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
    return failedVote(voter, shortText(error, VOTE_LIMITS.text));
  }
  const problem = verdictProblem({ outcome, probability, confidence });
  if (problem !== null) return failedVote(voter, problem);
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

/** Without NUL and halves of surrogate pairs: databases refuse them. */
export function shortText(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\0\p{Cs}]/gu, '');
}

/** The figures of the answer as they are shown: those of the votes together where there are several voters. */
export function summaryOf({ own, votes }: ReceivedAnswer): Consensus {
  if (votes.length > 1 || !isValid(own)) return consensusOf(votes);
  const { outcome, probability, confidence } = own;
  return { outcome, probability, confidence, agreement: 1 };
}
