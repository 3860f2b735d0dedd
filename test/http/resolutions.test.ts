import type { Oracle, OracleAnswer } from '../../src/ports/oracle';
import { API, createMarket, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(801);
const DAY_MS = 86_400_000;
let service: Service;
let votes: OracleAnswer['votes'];
const judges: Oracle = {
  name: 'judges',
  role: 'judge',
  ask: async () => ({ outcome: 'UNKNOWN', probability: 0.5, confidence: 0, ...(votes && { votes }) }),
};

const vote = (oracle: string, outcome: 'YES' | 'NO') => ({
  oracle,
  model: 'm-1',
  outcome,
  probability: outcome === 'YES' ? 0.97 : 0.03,
  confidence: 0.9,
  citations: [
    { url: 'https://example.org/', title: 'Rain', quote: null, publishedAt: null, retrievedAt: null },
  ],
  reasoning: 'It rained.',
  latencyMs: 5,
  costUsd: 0.01,
  promptHash: 'a'.repeat(64),
});

beforeEach(async () => {
  service = await startService({ oracle: judges, challengePeriodMs: 3_600_000, jobIntervalMs: DAY_MS });
  votes = [vote('one', 'YES'), vote('two', 'YES')];
});
afterEach(() => service.close());

const operators = async (path: string, method = 'get', body?: unknown) =>
  service.call(method, OPS + path, { ...(body !== undefined && { body }) });

async function closedMarket(): Promise<{ id: number; key: string }> {
  const id = await createMarket(service, owner);
  await service.pm.closeMarket({ market: id });
  await service.pm.runJobs();
  return { id, key: await service.issueKey(owner) };
}

it('a proposal is shown to everyone, without costs and prompts, and an operator overturns it', async () => {
  const { id, key } = await closedMarket();
  const path = `${API}/public/markets/${String(id)}/resolution`;
  const proposed = await service.call('get', path, { key });
  expect(proposed.body).toMatchObject({
    marketId: id,
    status: 'resolving',
    outcome: null,
    method: null,
    votes: [{ oracle: 'one', outcome: 'YES', model: 'm-1' }, { oracle: 'two' }],
    citations: [{ url: 'https://example.org/' }],
    proposal: { outcome: 'YES', oracleConsensus: 0.9 },
  });
  expect(proposed.text).not.toMatch(/costUsd|promptHash|aaaa/);
  await operators(`/markets/${String(id)}/resolve`, 'post', { outcome: 'NO', note: 'Wrong city.' });
  const resolved = await service.call('get', path, { key });
  expect(resolved.body).toMatchObject({
    status: 'resolved',
    outcome: 'NO',
    method: 'operator',
    oracleConsensus: 1,
  });
  expect(resolved.body).toMatchObject({ note: 'Wrong city.' });
  expect(resolved.body).not.toHaveProperty('proposal');
  expect((await service.pm.getMarket(id)).resolution?.method).toBe('operator');
});

it('operators see rounds with votes and costs, and list what is not resolved', async () => {
  const { id } = await closedMarket();
  const evidence = await operators(`/markets/${String(id)}/resolution`);
  expect(evidence.body).toMatchObject({
    marketId: id,
    status: 'proposed',
    rounds: [
      {
        round: 1,
        votes: [{ costUsd: 0.01 }, { oracle: 'two' }],
        consensus: { outcome: 'YES', agreement: 1 },
      },
    ],
  });
  const listed = await operators('/resolutions?status=proposed');
  expect(listed.body).toMatchObject({
    total: 1,
    limit: 20,
    offset: 0,
    resolutions: [{ marketId: id, status: 'proposed', round: 1, lastOutcome: 'YES' }],
  });
  expect((await operators('/resolutions?status=waiting')).body).toMatchObject({ total: 0, resolutions: [] });
  expect(await service.pm.listResolutions({ status: 'proposed' })).toEqual(listed.body);
  expect(await service.pm.getResolutionEvidence(id)).toEqual(evidence.body);
});

it('operators list markets with the state of their resolution, the one that waits longest first', async () => {
  const { id } = await closedMarket();
  const open = await createMarket(service, owner);
  const listed = await operators('/markets');
  expect(listed.body).toMatchObject({
    total: 2,
    limit: 20,
    offset: 0,
    markets: [
      {
        id,
        status: 'resolving',
        progress: {
          status: 'proposed',
          round: 1,
          lastOutcome: 'YES',
          proposal: { outcome: 'YES', oracleConsensus: expect.any(Number) as number },
        },
      },
      { id: open, status: 'open', progress: null, creator: { address: owner.address } },
    ],
  });
  expect(await service.pm.listMarketsAsOperator()).toEqual(listed.body);
  const [first] = (listed.body as { markets: unknown[] }).markets;
  const proposed = await operators('/markets?progress=proposed&status=resolving');
  expect(proposed.body).toEqual({ markets: [first], total: 1, limit: 20, offset: 0 });
  expect(await service.pm.listMarketsAsOperator({ progress: 'proposed' })).toEqual(proposed.body);
  expect((await operators('/markets?progress=escalated')).body).toMatchObject({ total: 0, markets: [] });
  for (const wrong of [
    'progress=done',
    'progress=proposed&sort=resolve_asc',
    'progress=proposed&status=open',
  ])
    expect(await operators(`/markets?${wrong}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  await operators(`/markets/${String(id)}/resolve`, 'post', { outcome: 'NO' });
  expect((await operators('/markets?status=resolving')).body).toMatchObject({ total: 0, markets: [] });
  expect((await operators('/markets?status=resolved')).body).toMatchObject({
    markets: [{ id, resolution: { outcome: 'NO' }, progress: null }],
  });
});

it('why a voter failed is shown to operators only, and of that only the first line', async () => {
  const error = 'GET https://feed.internal/?key=sk-secret failed\n    at feed (feed.js:1:1)';
  const yes = vote('one', 'YES');
  votes = [yes, vote('two', 'YES'), { ...yes, oracle: 'three', error }];
  const { id, key } = await closedMarket();
  const shown = await service.call('get', `${API}/public/markets/${String(id)}/resolution`, { key });
  expect(shown.body).toMatchObject({ votes: [{}, {}, { oracle: 'three', error: 'the voter failed' }] });
  expect(shown.text).not.toMatch(/secret|internal/);
  const [first] = (await service.pm.getResolutionEvidence(id)).rounds;
  expect(first?.votes[2]).toMatchObject({
    error: 'GET https://feed.internal/?key=sk-secret failed',
    costUsd: 0.01,
  });
});

it('an escalated market is put to the oracle anew by a retry, another one is refused', async () => {
  votes = [vote('one', 'NO')];
  const { id } = await closedMarket();
  const retry = `/markets/${String(id)}/resolution/retry`;
  const path = `/markets/${String(id)}/resolution`;
  expect((await operators(path)).body).toMatchObject({
    status: 'escalated',
    proposal: { outcome: 'NO', payAt: null },
  });
  votes = [vote('one', 'NO'), vote('two', 'NO')];
  // The retry wakes the jobs, which may run before the answer to this request arrives.
  expect((await operators(retry, 'post')).status).toBe(200);
  await service.pm.runJobs();
  expect((await operators(path)).body).toMatchObject({ status: 'proposed' });
  const refused = await operators(retry, 'post');
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'NOT_ESCALATED' });
});

it('an unknown status is a 400, an unknown market a 404', async () => {
  expect((await operators('/resolutions?status=done')).status).toBe(400);
  for (const [method, path] of [
    ['get', '/markets/99/resolution'],
    ['post', '/markets/99/resolution/retry'],
  ] as const)
    expect((await operators(path, method)).body).toMatchObject({ code: 'MARKET_NOT_FOUND' });
});

it('proposals and escalations are events', async () => {
  const told: unknown[] = [];
  service.pm.events.on('market.proposed', ({ data }) => void told.push(data.outcome));
  service.pm.events.on(
    'market.escalated',
    ({ data, marketSeq }) => void told.push([data.proposal, marketSeq]),
  );
  await closedMarket();
  votes = [vote('one', 'YES')];
  await closedMarket();
  expect(told).toEqual(['YES', ['YES', 3]]);
});
