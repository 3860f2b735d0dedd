import fc from 'fast-check';
import { noAnswer, receiveAnswer } from '../../src/domain/oracle/answer';
import { citationsOf } from '../../src/domain/oracle/citations';
import { isValid, ORACLE_OUTCOMES, VOTE_LIMITS } from '../../src/domain/oracle/vote';

const asked = { oracle: 'feed', latencyMs: 7 };
const yes = { outcome: 'YES', probability: 0.95, confidence: 0.9 };
const failure = (error: string): object => ({
  oracle: 'feed',
  model: null,
  outcome: 'UNKNOWN',
  probability: 0.5,
  confidence: 0,
  citations: [],
  reasoning: '',
  latencyMs: 7,
  error,
});

describe('an answer without votes', () => {
  it.each([{ ...yes }, { ...yes, votes: [] }])('is its own only vote: %j', (answer) => {
    const { own, votes } = receiveAnswer(answer, asked);
    expect(own).toEqual({ ...yes, oracle: 'feed', model: null, citations: [], reasoning: '', latencyMs: 7 });
    expect(votes).toEqual([own]);
  });

  it.each<[string, unknown]>([
    ['no probability', { outcome: 'YES', confidence: 1 }],
    ['an outcome in lower case', { ...yes, outcome: 'yes' }],
    ['a text as a figure', { ...yes, confidence: '0.9' }],
    ['NaN', { ...yes, confidence: Number.NaN }],
    ['a contradiction', { ...yes, probability: 0.2 }],
    ['votes that are no list', { ...yes, votes: { length: 0 } }],
    ['more votes than are read', { ...yes, votes: Array.from({ length: VOTE_LIMITS.votes + 1 }, () => yes) }],
    ['nothing', undefined],
    ['a text', 'YES'],
  ])('fails for %s', (_, answer) => {
    const { own, votes } = receiveAnswer(answer, asked);
    expect(own).toEqual(failure(String(own.error)));
    expect(own.error).toMatch(/\S/);
    expect(votes).toEqual([own]);
  });

  it('fails when it cannot be read', () => {
    const trap = {
      get votes(): never {
        throw new Error('a trap');
      },
    };
    expect(receiveAnswer(trap, asked).own).toEqual(failure('the answer cannot be read'));
  });
});

describe('the votes of an answer', () => {
  it('are checked one by one: a bad one becomes a failed vote and hides none of the others', () => {
    const votes = [{ ...yes, oracle: 'a', model: 'm', latencyMs: 3 }, { ...yes, outcome: 'MAYBE' }, null];
    const received = receiveAnswer({ ...yes, votes }, asked);
    expect(received.votes.map(isValid)).toEqual([true, false, false]);
    expect(received.votes[0]).toMatchObject({ oracle: 'a', model: 'm', latencyMs: 3, outcome: 'YES' });
    expect(received.votes[1]).toEqual(failure('the outcome "MAYBE" is unknown'));
  });

  it('keep what a failed voter is blamed for, and none of its figures', () => {
    const votes = [yes, { ...yes, oracle: 'b', latencyMs: 9, error: 'HTTP 500' }];
    const failed = receiveAnswer({ ...yes, votes }, asked).votes[1];
    expect(failed).toEqual({ ...failure('HTTP 500'), oracle: 'b', latencyMs: 9 });
  });

  it('keep the cost of a failed voter: its answer was paid for too', () => {
    const spent = { costUsd: 0.01, tokens: 12 };
    const votes = [
      { ...yes, ...spent, probability: 0.1 },
      { ...yes, ...spent, error: 'no verdict' },
    ];
    for (const vote of receiveAnswer({ ...yes, votes }, asked).votes) {
      expect(isValid(vote)).toBe(false);
      expect(vote).toMatchObject(spent);
    }
  });

  it('keep their cost, and lose what has no use', () => {
    const promptHash = 'ab'.repeat(32);
    const vote = { ...yes, tokens: 12, costUsd: 0.01, promptHash, secret: 'x' };
    const [kept] = receiveAnswer({ ...yes, votes: [vote] }, asked).votes;
    expect(kept).toMatchObject({ tokens: 12, costUsd: 0.01, promptHash });
    expect(kept).not.toHaveProperty('secret');
    const wrong = { ...yes, tokens: -1, costUsd: Number.POSITIVE_INFINITY, promptHash: 'key' };
    expect(Object.keys(receiveAnswer({ ...yes, votes: [wrong] }, asked).votes[0] ?? {})).not.toEqual(
      expect.arrayContaining(['tokens']),
    );
  });

  it('have texts of bounded length, without characters that databases refuse', () => {
    const [title, quote] = [`\0\ud800${'t'.repeat(9_999)}`, '\0\ud800'];
    const citations = [{ url: 'https://example.com/', title, quote }];
    const long = { ...yes, reasoning: `\0\ud800${'r'.repeat(9_999)}`, oracle: 'o'.repeat(999), citations };
    const [vote] = receiveAnswer({ ...yes, votes: [long] }, asked).votes;
    expect(vote?.citations).toEqual([
      expect.objectContaining({ title: 't'.repeat(VOTE_LIMITS.text - 2), quote: null }),
    ]);
    expect(vote?.reasoning).toBe('r'.repeat(VOTE_LIMITS.reasoning - 2));
    expect(vote?.oracle).toHaveLength(VOTE_LIMITS.name);
  });
});

it('every valid vote of any answer has an outcome and figures in range', () => {
  const figure = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.anything());
  const anyVote = fc.oneof(
    fc.record({
      outcome: fc.oneof(fc.constantFrom(...ORACLE_OUTCOMES), fc.anything()),
      probability: figure,
      confidence: figure,
      citations: fc.anything(),
      reasoning: fc.anything(),
      latencyMs: fc.anything(),
      error: fc.option(fc.anything(), { nil: undefined }),
    }),
    fc.anything(),
  );
  const anyAnswer = fc.tuple(anyVote, fc.array(anyVote)).map(([own, votes]) => ({ ...Object(own), votes }));
  fc.assert(
    fc.property(fc.oneof(anyAnswer, fc.anything()), (answer) => {
      const { own, votes } = receiveAnswer(answer, asked);
      expect(votes.length).toBeGreaterThan(0);
      for (const vote of [own, ...votes].filter(isValid)) {
        expect(ORACLE_OUTCOMES).toContain(vote.outcome);
        expect(vote.probability >= 0 && vote.probability <= 1).toBe(true);
        expect(vote.confidence >= 0 && vote.confidence <= 1).toBe(true);
        expect(Number.isFinite(vote.latencyMs)).toBe(true);
      }
    }),
  );
});

describe('citations', () => {
  it('have an http(s) address without a password; one address is one citation', () => {
    const list = [
      'https://a.example/x',
      { url: 'https://a.example/x', title: 'A', date: '2025-05-05', snippet: 'said' },
      { url: 'javascript:alert(1)' },
      { url: 'https://user:password@b.example/' },
      { url: 5 },
      null,
    ];
    expect(citationsOf(list)).toEqual([
      {
        url: 'https://a.example/x',
        title: 'A',
        quote: 'said',
        publishedAt: '2025-05-05T00:00:00.000Z',
        retrievedAt: null,
      },
    ]);
    expect(citationsOf('https://a.example')).toEqual([]);
  });

  it('are at most 20', () => {
    const list = Array.from({ length: 300 }, (_, index) => `https://a.example/${index}`);
    expect(citationsOf(list)).toHaveLength(VOTE_LIMITS.citations);
  });
});

it('an oracle that did not answer has one failed vote', () => {
  expect(noAnswer(asked, 'away').votes).toEqual([failure('away')]);
});
