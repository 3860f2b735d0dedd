import {
  modelServer,
  spoken,
  type ModelReply,
  type ModelRequest,
  type ModelServer,
} from '../oracle/support/model-server';
import { until } from '../support/until';
import { call } from './support/client';
import {
  balance,
  closedMarket,
  evidence,
  expectSoundBooks,
  marketOf,
  ok,
  OPERATOR,
  read,
  resolved,
  rounds,
  serveWithOracle,
  state,
  type Service,
} from './support/oracle-service';

const KEY = 'sk-of-the-models-1234';
const MODELS = ['a', 'b', 'c'] as const;
type Behaviour = (request: ModelRequest) => ModelReply | null;

jest.setTimeout(60_000);

let models: ModelServer;

const running: Service[] = [];
beforeAll(async () => {
  models = await modelServer();
});
afterAll(async () => {
  await models.close();
  await Promise.all(running.map((service) => service.stop()));
});

async function serve(environment: Record<string, string> = {}): Promise<Service> {
  const service = await serveWithOracle({
    ORACLE_BASE_URL: models.baseUrl,
    ORACLE_API_KEY: KEY,
    ORACLE_MODELS: MODELS.join(','),
    ...environment,
  });
  running.push(service);
  return service;
}

/** A model answers with this outcome and the confidence 0.95. `figures` replaces fields of the verdict. */
const says =
  (outcome: string, figures: object = {}): Behaviour =>
  (request) =>
    spoken(request, JSON.stringify({ ...verdict(outcome), ...figures }));

function verdict(outcome: string): object {
  const probability = outcome === 'YES' ? 0.97 : outcome === 'NO' ? 0.03 : 0.5;
  return { outcome, probability, confidence: 0.95, reasoning: `It is ${outcome}.`, citations: [] };
}

function vote(...behaviours: Behaviour[]): void {
  models.respond((request) => {
    const index = MODELS.findIndex((model) => model === request.body.model);
    const behaviour = behaviours[index] ?? behaviours[0];
    return behaviour === undefined ? null : behaviour(request);
  });
}

describe('three models that decide at once', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve();
  });

  it('pay the holders of YES, and none of NO, when they agree with confidence', async () => {
    vote(says('YES'));
    const before = await balance(service);
    const yes = await closedMarket(service);
    expect(await resolved(service, yes)).toMatchObject({ outcome: 'YES', method: 'oracle' });
    await until(async () => (await balance(service)) > before);
    const after = await balance(service);

    vote(says('NO'));
    const no = await closedMarket(service, 'Will it snow?');
    expect(await resolved(service, no)).toMatchObject({ outcome: 'NO', method: 'oracle' });
    expect(await balance(service)).toBeLessThan(after);
    expect(await rounds(service, yes)).toBe(1);
    expect(await rounds(service, no)).toBe(1);
    await expectSoundBooks(service);
  });

  it('never pay by two against one; after eight rounds only an operator decides', async () => {
    vote(says('YES'), says('YES'), says('NO'));
    const before = models.requests.length;
    const id = await closedMarket(service);
    await until(async () => (await state(service, id)) === 'escalated');
    expect(await rounds(service, id)).toBe(8);
    const asked = models.requests.length;
    expect(asked - before).toBe(24);

    vote(says('YES'));
    await resolved(service, await closedMarket(service, 'Will it snow?'));
    expect(models.requests.length).toBe(asked + 3);
    expect((await marketOf(service, id))['status']).toBe('resolving');

    await ok(call(service.base, `/admin/markets/${id}/resolution/retry`, { ...OPERATOR, body: {} }));
    expect(await resolved(service, id)).toMatchObject({ outcome: 'YES', method: 'oracle' });
    await expectSoundBooks(service);
  });

  it.each(['UNKNOWN', 'AMBIGUOUS', 'TOO_EARLY'])(
    'do not pay while one of them says %s',
    async (abstention) => {
      vote(says('YES'), says('YES'), says(abstention));
      const id = await closedMarket(service);
      await until(async () => (await rounds(service, id)) >= 3);
      expect((await marketOf(service, id))['status']).toBe('resolving');
      vote(says('YES'));
      expect(await resolved(service, id)).toMatchObject({ outcome: 'YES' });
    },
  );

  it('need two unanimous rounds in a row after a split', async () => {
    const before = models.requests.length;
    const split = [says('YES'), says('YES'), says('NO')];
    models.respond((request) => {
      const index = MODELS.findIndex((model) => model === request.body.model);
      const behaviour = models.requests.length - before <= 3 ? split[index] : says('YES');
      return behaviour?.(request) ?? null;
    });
    const id = await closedMarket(service);
    await resolved(service, id);
    const told = (await evidence(service, id)).rounds;
    expect(told.map(({ votes }) => votes.map(({ outcome }) => outcome).sort())).toEqual([
      ['NO', 'YES', 'YES'],
      ['YES', 'YES', 'YES'],
      ['YES', 'YES', 'YES'],
    ]);
  });

  it('wait while it is too early, and never escalate for that', async () => {
    vote(says('TOO_EARLY'));
    const id = await closedMarket(service);
    await until(async () => (await state(service, id)) === 'stalled');
    expect(await rounds(service, id)).toBeGreaterThanOrEqual(8);
    const listed = await ok(call(service.base, '/admin/resolutions?status=stalled', OPERATOR));
    expect(listed).toMatchObject({ total: 1, resolutions: [{ marketId: id, lastOutcome: 'TOO_EARLY' }] });
    vote(says('NO'));
    expect(await resolved(service, id)).toMatchObject({ outcome: 'NO' });
  });

  const text =
    (body: string): Behaviour =>
    (request) =>
      spoken(request, body);
  it.each<[string, Behaviour]>([
    ['answers 500', () => ({ status: 500, body: 'oops' })],
    ['answers garbage', () => ({ body: '<html>not json' })],
    ['sends two megabytes', (request) => spoken(request, 'x'.repeat(2_000_000))],
    [
      'gives NaN for a probability',
      text('{"outcome":"YES","probability":NaN,"confidence":1,"reasoning":"","citations":[]}'),
    ],
    ['gives a confidence of 7', says('YES', { confidence: 7 })],
    [
      'hides its verdict in prose',
      text(`Sure! Here it is: ${JSON.stringify(verdict('YES'))} Anything else?`),
    ],
  ])(
    'leave the market unresolved while one of them %s, and decide when it is well again',
    async (_what, ill) => {
      vote(says('YES'), says('YES'), ill);
      const id = await closedMarket(service);
      await until(async () => (await rounds(service, id)) >= 1);
      expect((await marketOf(service, id))['status']).toBe('resolving');
      const [first] = (await evidence(service, id)).rounds;
      expect(first?.votes.find(({ oracle }) => oracle === 'c')).toMatchObject({
        outcome: 'UNKNOWN',
        error: expect.any(String),
      });
      expect((await fetch(`${service.base}/ready`)).status).toBe(200);
      vote(says('YES'));
      expect(await resolved(service, id)).toMatchObject({ outcome: 'YES' });
    },
  );

  it('leave the market unresolved while they hang, and decide when they answer', async () => {
    vote(() => null);
    const before = models.requests.length;
    const id = await closedMarket(service);
    await until(() => Promise.resolve(models.requests.length - before >= 3));
    expect((await marketOf(service, id))['status']).toBe('resolving');
    expect((await fetch(`${service.base}/ready`)).status).toBe(200);
    const comeBack = await models.goAway();
    vote(says('YES'));
    await comeBack();
    expect(await resolved(service, id)).toMatchObject({ outcome: 'YES' });
  });
});

describe('a challenge period', () => {
  it('lets an operator overturn what the models proposed, before any winner is paid', async () => {
    const service = await serve({ CHALLENGE_PERIOD_MS: '3600000' });
    vote(says('YES'));
    const id = await closedMarket(service);
    const before = await balance(service);
    await until(async () => (await state(service, id)) === 'proposed');
    const shown = await read(service, `/public/markets/${id}/resolution`);
    expect(shown).toMatchObject({ outcome: null, proposal: { outcome: 'YES' } });
    expect(await balance(service)).toBe(before);
    await ok(
      call(service.base, `/admin/markets/${id}/resolve`, {
        ...OPERATOR,
        body: { outcome: 'NO', note: 'It was dry.' },
      }),
    );
    expect(await resolved(service, id)).toMatchObject({
      outcome: 'NO',
      method: 'operator',
      oracleConsensus: 1,
    });
    expect(await balance(service)).toBe(before);
    await expectSoundBooks(service);
  });

  it('ends in a payout when no operator objects', async () => {
    const service = await serve({ CHALLENGE_PERIOD_MS: '200' });
    vote(says('YES'));
    const id = await closedMarket(service);
    expect(await resolved(service, id)).toMatchObject({ outcome: 'YES', method: 'oracle' });
    await until(async () => (await balance(service)) > 1000);
  });
});

describe('a single model', () => {
  it('only proposes: its answer waits for an operator', async () => {
    const service = await serve({ ORACLE_MODELS: 'a' });
    vote(says('YES'));
    const id = await closedMarket(service);
    await until(async () => (await state(service, id)) === 'escalated');
    expect((await marketOf(service, id))['status']).toBe('resolving');
    expect(service.running.errors()).toContain('1 of 2 voters: proposes only');
  });

  it('decides alone where the operator allows it', async () => {
    const service = await serve({ ORACLE_MODELS: 'a', ORACLE_MIN_VOTERS: '1', ORACLE_API: 'responses' });
    vote(says('YES'));
    const id = await closedMarket(service);
    expect(await resolved(service, id)).toMatchObject({ outcome: 'YES' });
    expect(models.requests.at(-1)?.path).toBe('/v1/responses');
  });
});

it('the banner names the voters, and the key is in no output', async () => {
  const service = await serve({ LOG_LEVEL: 'trace' });
  vote(() => ({ status: 401, body: { error: `Incorrect API key provided: ${KEY}` } }));
  const id = await closedMarket(service);
  await until(async () => (await rounds(service, id)) >= 1);
  expect(models.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(service.running.errors()).toContain('oracle     a, b, c at 127.0.0.1');
  expect(service.running.errors()).toContain(
    'vote; they decide when all agree with confidence; winners are paid at once',
  );
  const told = JSON.stringify(await evidence(service, id));
  await service.stop();
  expect(`${service.running.output()}${service.running.errors()}${told}`).not.toContain(KEY);
});
