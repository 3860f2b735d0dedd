import { consensusOracle } from '../../adapters/oracle/consensus';
import { openaiOracle } from '../../adapters/oracle/openai';
import { createCircuitBreaker } from '../../adapters/shared/judge/circuit-breaker';
import { VERDICT_SCHEMA } from '../../adapters/shared/judge/prompt';
import type { Oracle } from '../../src/ports/oracle';
import { modelServer, spoken, type ModelServer } from './support/model-server';
import { ANY_QUESTION, verdictFor } from './support/obedient-model';

const KEY = 'sk-open-sesame-0123456789';
const YES = JSON.stringify(verdictFor('YES', 'It happened.', ['https://a.example/']));

let server: ModelServer;
beforeEach(async () => {
  server = await modelServer();
});
afterEach(async () => {
  await server.close();
});

function judge(more: Partial<Parameters<typeof openaiOracle>[0]> = {}): Oracle {
  return openaiOracle({ baseUrl: server.baseUrl, apiKey: KEY, model: 'judge-1', ...more });
}

async function failureOf(oracle: Oracle): Promise<string> {
  return oracle.ask(ANY_QUESTION).then(
    () => 'it answered',
    (error: unknown) => (error instanceof Error ? error.message : 'no Error'),
  );
}

describe('the request', () => {
  it('is a chat completion with a strict schema, to the address as it was given', async () => {
    server.respond((request) => spoken(request, YES));
    await judge().ask(ANY_QUESTION);
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(request?.body).toMatchObject({
      model: 'judge-1',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', strict: true, schema: VERDICT_SCHEMA },
      },
    });
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.stringify(request?.body)).not.toContain(KEY);
  });

  it('is one of the Responses API where the option says so', async () => {
    server.respond((request) => spoken(request, YES));
    expect(await judge({ api: 'responses' }).ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/responses',
      body: { text: { format: { type: 'json_schema', name: 'verdict', strict: true } } },
    });
  });

  it('asks for less where the server refuses a format, and remembers it', async () => {
    server.respond((request) => {
      const format = request.body.response_format as { type: string } | undefined;
      return format === undefined ? spoken(request, YES) : { status: 400, body: { error: 'no formats' } };
    });
    const oracle = judge();
    expect(await oracle.ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
    expect(server.requests).toHaveLength(3);
    await oracle.ask(ANY_QUESTION);
    expect(server.requests).toHaveLength(4);
  });

  it('has no creator, no price and no address of the market', async () => {
    server.respond((request) => spoken(request, YES));
    const creator = '0x1111111111111111111111111111111111111111';
    await judge().ask({ ...ANY_QUESTION, marketId: 77_777, slug: 'a-slug', tickerId: 'PM-77777', creator });
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const hidden of [creator, '77777', 'a-slug']) expect(sent).not.toContain(hidden);
  });
});

describe('the answer', () => {
  it('is one vote, with its model, its cost and the hash of the prompt', async () => {
    server.respond((request) => {
      const reply = spoken(request, YES);
      return { body: { ...(reply.body as object), usage: { total_tokens: 321, cost: 0.004 } } };
    });
    const { votes } = await judge({ name: 'first' }).ask(ANY_QUESTION);
    expect(votes).toEqual([
      expect.objectContaining({
        oracle: 'first',
        model: 'judge-1',
        outcome: 'YES',
        tokens: 321,
        costUsd: 0.004,
      }),
    ]);
    expect(votes?.[0]?.promptHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is a failed vote with its cost when it was paid for and cannot be used', async () => {
    server.respond((request) => {
      const reply = spoken(request, 'I would rather not say.');
      return { body: { ...(reply.body as object), usage: { total_tokens: 321, cost: 0.004 } } };
    });
    const { outcome, confidence, votes } = await judge({ name: 'first' }).ask(ANY_QUESTION);
    expect({ outcome, confidence }).toEqual({ outcome: 'UNKNOWN', confidence: 0 });
    const failed = { oracle: 'first', error: 'the answer is not one JSON object' };
    expect(votes).toEqual([expect.objectContaining({ ...failed, tokens: 321, costUsd: 0.004 })]);
    const both = await consensusOracle({ oracles: [judge({ name: 'first' })] }).ask(ANY_QUESTION);
    expect(both.votes).toEqual([expect.objectContaining({ ...failed, costUsd: 0.004 })]);
  });

  it.each([
    ['a thought before it', `<think>{"outcome":"NO"}</think>\n${YES}`],
    ['a fence around it', `\`\`\`json\n${YES}\n\`\`\``],
  ])('may have %s', async (_, text) => {
    server.respond((request) => spoken(request, text));
    expect(await judge().ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
  });

  it.each([
    ['prose', `The answer is ${YES}`],
    ['two objects', `${YES}${YES}`],
    ['a list', `[${YES}]`],
    ['an unknown outcome', YES.replace('YES', 'yes')],
    ['a contradiction', YES.replace('0.98', '0.2')],
    ['a figure out of range', YES.replace('0.98', '1e999')],
    ['a text as a figure', YES.replace('0.98', '"0.98"')],
    ['nothing', ''],
  ])('is a failure when it is %s', async (_, text) => {
    server.respond((request) => spoken(request, text));
    expect(await failureOf(judge())).toMatch(/answer|outcome|probability|YES/);
  });

  it('is a failure when it was cut off', async () => {
    const message = { content: YES };
    server.respond(() => ({ body: { choices: [{ finish_reason: 'length', message }] } }));
    expect(await failureOf(judge())).toBe('the answer of the model was cut off');
  });

  it('names its sources in every shape that servers use', async () => {
    const cited = (url: string) => ({ type: 'url_citation', url_citation: { url, title: 'T' } });
    server.respond(() => ({
      body: {
        choices: [{ message: { content: YES, annotations: [cited('https://b.example/')] } }],
        citations: ['https://c.example/', 'javascript:alert(1)'],
        search_results: [{ url: 'https://d.example/', title: 'D', date: '2025-01-01' }],
      },
    }));
    const { citations } = await judge().ask(ANY_QUESTION);
    expect(citations?.map(({ url }) => url)).toEqual(
      ['a', 'b', 'c', 'd'].map((letter) => `https://${letter}.example/`),
    );

    const annotations = [{ type: 'url_citation', url: 'https://e.example/' }];
    const content = [{ type: 'output_text', text: YES, annotations }];
    server.respond(() => ({ body: { status: 'completed', output: [{ type: 'message', content }] } }));
    const other = await judge({ api: 'responses' }).ask(ANY_QUESTION);
    expect(other.citations?.map(({ url }) => url)).toContain('https://e.example/');
  });

  it('of a YES needs a result of the search that is not newer than the question', async () => {
    server.respond((request) => spoken(request, YES));
    const found = { url: 'https://a.example/', title: null, text: 'It happened.', publishedAt: null };
    const searching = (result: typeof found | { publishedAt: string }) =>
      judge({ search: async () => [{ ...found, ...result }] }).ask(ANY_QUESTION);
    expect(await searching(found)).toMatchObject({ outcome: 'YES' });
    expect(await searching({ publishedAt: '2025-06-04T00:00:00Z' })).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await searching({ ...found, url: 'https://other.example/' })).toMatchObject({
      outcome: 'UNKNOWN',
    });
  });
});

describe('trouble', () => {
  it.each([429, 500, 503])('HTTP %d is asked once more', async (status) => {
    server.respond((request) =>
      server.requests.length === 1
        ? { status, headers: { 'Retry-After': '0' }, body: KEY }
        : spoken(request, YES),
    );
    expect(await judge().ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
    expect(server.requests).toHaveLength(2);
  });

  it('of the connection is asked once more', async () => {
    server.respond((request) => spoken(request, YES));
    const broken = jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed'));
    expect(await judge().ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
  });

  it('is given up after two attempts, without a word of the server', async () => {
    server.respond(() => ({ status: 500, headers: { 'Retry-After': '0' }, body: `no credit for ${KEY}` }));
    expect(await failureOf(judge())).toBe('the model server answered HTTP 500');
    expect(server.requests).toHaveLength(2);
  });

  it('of a model that does not answer ends after 60 seconds', async () => {
    const over = new AbortController();
    const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
    server.respond(() => {
      over.abort();
      return null;
    });
    expect(await failureOf(judge())).not.toBe('it answered');
    expect(limit.mock.calls).toEqual([[60_000]]);
    limit.mockRestore();
  });

  it('of a wrong key is not asked again', async () => {
    server.respond(() => ({ status: 401, body: `wrong key ${KEY}` }));
    expect(await failureOf(judge())).toBe('the model server answered HTTP 401');
    expect(server.requests).toHaveLength(1);
  });

  it('of a huge answer ends after its first megabyte', async () => {
    server.respond((request) => spoken(request, ' '.repeat(2_000_000) + YES));
    expect(await failureOf(judge())).toBe('the model server answered with more than 1000000 bytes');
  });

  it('with a redirect ends the question: to follow it would take the key elsewhere', async () => {
    server.respond(() => ({ status: 307, headers: { Location: `${server.baseUrl}/elsewhere` }, body: '' }));
    expect(await failureOf(judge())).toMatch(/^the model server (could not be reached|answered HTTP 307)$/);
    expect(server.requests.some(({ path }) => path.includes('elsewhere'))).toBe(false);
  });

  it('a server that echoes the key does not publish it', async () => {
    server.respond((request) => spoken(request, YES.replace('It happened.', `The key is ${KEY}`)));
    const answer = await judge().ask(ANY_QUESTION);
    expect(answer.reasoning).toBe('The key is (removed)');
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });

  it('of a failed search tells nothing of the search', async () => {
    const search = async () => {
      throw new Error(`GET https://search.example/?key=${KEY}`);
    };
    expect(await failureOf(judge({ search }))).toBe('the search for sources failed');
    expect(server.requests).toEqual([]);
  });

  it('after twenty outages in a row asks no more, but for a probe', async () => {
    server.respond(() => ({ status: 503, headers: { 'Retry-After': '0' }, body: '' }));
    const oracle = judge();
    for (let outage = 0; outage < 20; outage += 1) await failureOf(oracle);
    expect(server.requests).toHaveLength(40);
    expect(await failureOf(oracle)).toMatch(/failed many times/);
    expect(server.requests).toHaveLength(40);
  });
});

describe('the circuit breaker', () => {
  const open = () => {
    const breaker = createCircuitBreaker({ failures: 2, probeAfterMs: 10 });
    breaker.failed(0);
    breaker.failed(0);
    return breaker;
  };

  it('lets one caller through in every period', () => {
    const breaker = open();
    expect(() => breaker.enter(9)).toThrow();
    breaker.enter(10);
    expect(() => breaker.enter(11)).toThrow();
    breaker.failed(11);
    expect(() => breaker.enter(19)).toThrow();
    breaker.enter(20);
  });

  it('opens after twenty failures in a row, and probes after ten seconds', () => {
    const breaker = createCircuitBreaker();
    for (let failure = 1; failure <= 20; failure += 1) {
      breaker.enter(0);
      breaker.failed(0);
    }
    expect(() => breaker.enter(9_999)).toThrow();
    breaker.enter(10_000);
  });

  it('closes with the first answer', () => {
    const breaker = open();
    breaker.enter(10);
    breaker.succeeded();
    breaker.enter(11);
    breaker.failed(11);
    breaker.enter(12);
  });
});
