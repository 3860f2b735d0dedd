import {
  afterVotes,
  askAgain,
  escalate,
  finish,
  propose,
  rearm,
  startResolution,
} from '../../src/domain/oracle/resolution-state';
import {
  decideAuthorityRound,
  decideRound,
  DEFAULT_ROUND_RULES,
  NO_ROUNDS,
} from '../../src/domain/oracle/rounds';
import { failedVote, type Vote } from '../../src/domain/oracle/vote';

const rules = DEFAULT_ROUND_RULES;
const yes: Vote = {
  oracle: 'feed',
  model: null,
  outcome: 'YES',
  probability: 1,
  confidence: 0.8,
  citations: [],
  reasoning: '',
  latencyMs: 1,
};
const away = failedVote({ oracle: 'feed', model: null, latencyMs: 1 }, 'HTTP 500');
const early: Vote = { ...yes, outcome: 'TOO_EARLY', probability: 0.5 };

describe('the state of a resolution', () => {
  const started = startResolution(7, 100);

  it('begins by waiting for a round at once', () => {
    expect(started).toMatchObject({ status: 'waiting', history: NO_ROUNDS, nextAttemptAt: 100 });
  });

  it('is stalled from the eighth round without an answer on', () => {
    let state = started;
    const statuses = Array.from({ length: 9 }, (_, round) => {
      const result = decideRound([away, away], state.history, rules);
      state = askAgain(afterVotes(state, result, round), round + 5, round);
      return state.status;
    });
    expect(statuses).toEqual([...Array.from({ length: 7 }, () => 'waiting'), 'stalled', 'stalled']);
  });

  it('keeps a proposal until it is followed, and drops it when the voters are asked again', () => {
    const proposal = { outcome: 'NO', confidence: 0.9, proposedAt: 5, payAt: 9 } as const;
    const proposed = propose(started, proposal, 5);
    expect(proposed).toMatchObject({ status: 'proposed', proposal, nextAttemptAt: 9 });
    expect(finish(proposed, 9)).toMatchObject({ status: 'done', proposal, nextAttemptAt: null });
    expect(rearm(escalate(proposed, { ...proposal, payAt: null }, 6), 8)).toMatchObject({
      status: 'waiting',
      proposal: null,
      nextAttemptAt: 8,
    });
  });

  it('forgets counts when an operator has the voters asked anew, but not that they contradicted each other', () => {
    const history = { rounds: 9, disagreements: 8, fruitless: 1, hasSplit: true, unanimous: 'YES' } as const;
    expect(rearm({ ...started, history }, 8).history).toEqual({ ...NO_ROUNDS, hasSplit: true });
  });
});

describe('a round of an authority', () => {
  it('decides by one confident answer, whose figures are the consensus', () => {
    expect(decideAuthorityRound(yes, NO_ROUNDS, rules)).toEqual({
      finding: 'unanimous',
      consensus: { outcome: 'YES', probability: 1, confidence: 0.8, agreement: 1 },
      history: { ...NO_ROUNDS, rounds: 1, unanimous: 'YES' },
      decision: { kind: 'decided', outcome: 'YES' },
    });
  });

  it('never goes to an operator: what does not decide is asked again', () => {
    let history = NO_ROUNDS;
    for (let round = 0; round < 20; round += 1) {
      const vote = [away, early, { ...yes, confidence: 0.79 }][round % 3] ?? away;
      const result = decideAuthorityRound(vote, history, rules);
      expect(result.decision).toEqual({ kind: 'again' });
      expect(result.finding).toBe(vote === early ? 'too-early' : 'no-quorum');
      history = result.history;
    }
    expect(history).toEqual({ ...NO_ROUNDS, rounds: 20, fruitless: 20 });
  });
});
