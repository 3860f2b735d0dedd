import request from 'supertest';
import { createApp, type Standalone } from '../../examples/standalone';

const ADMIN_TOKEN = 'an-admin-token-for-tests';
const ALICE = 'a-token-that-alice-has';
const BOB = 'a-token-that-bob-has';
const MESSAGE = 'Too many failed authentication attempts. Try again later.';

let now = Date.UTC(2027, 0, 1);
let standalone: Standalone;
const lines: string[] = [];
beforeAll(async () => {
  standalone = createApp(
    {
      ...{ DATABASE_URL: 'memory:', LOG_LEVEL: 'warn', FAILED_AUTH_LIMIT: '2', TRUST_PROXY: '1' },
      ...{ ADMIN_TOKEN, ADMIN_TOKENS: `alice:${ALICE},bob:${BOB}` },
    },
    { clock: { now: () => now }, logDestination: { write: (line) => void lines.push(line) } },
  );
  await standalone.start();
});
afterAll(() => standalone.close());

function call(token: string | null, from: string): request.Test {
  const asked = request(standalone.app).get('/api/v2/admin/treasury').set('X-Forwarded-For', from);
  return token === null ? asked : asked.set('Authorization', `Bearer ${token}`);
}
const statusOf = async (token: string | null, from: string): Promise<number> =>
  (await call(token, from)).status;

describe('an address with wrong operators’ tokens', () => {
  it('is throttled until the window ends, and the right token is still let in', async () => {
    const from = '192.0.2.1';
    expect([await statusOf('wrong', from), await statusOf('wrong', from)]).toEqual([401, 401]);
    now += 60_000;
    const { status, body, headers } = await call('wrong', from);
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([429, '240', 'no-store']);
    expect(body).toEqual({ error: MESSAGE, code: 'RATE_LIMIT_EXCEEDED', message: MESSAGE, retryAfter: 240 });
    expect([await statusOf(null, from), await statusOf(ADMIN_TOKEN, from)]).toEqual([429, 200]);
    now += 240_000;
    expect(await statusOf('wrong', from)).toBe(401);
  });

  it('is counted apart from other addresses, and an IPv6 network /56 is one address', async () => {
    for (const from of ['2001:db8::1', '2001:db8:0:1::2']) expect(await statusOf('wrong', from)).toBe(401);
    expect(await statusOf('wrong', '2001:db8:0:2::3')).toBe(429);
    expect(await statusOf('wrong', '2001:db8:1::1')).toBe(401);
  });

  it('is not throttled for missing tokens, nor at the other routes', async () => {
    const from = '192.0.2.3';
    for (let times = 0; times < 3; times += 1) expect(await statusOf(null, from)).toBe(401);
    for (let times = 0; times < 2; times += 1) await call('wrong', from);
    expect(await statusOf('wrong', from)).toBe(429);
    const market = await request(standalone.app).get('/api/v2/public/markets').set('X-Forwarded-For', from);
    expect([market.status, market.body.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

it('the operators’ log names the operator of the token, and "operator" for ADMIN_TOKEN', async () => {
  const deposit = (token: string) =>
    request(standalone.app)
      .post('/api/v2/admin/treasury/deposits')
      .set('Authorization', `Bearer ${token}`)
      .send({ amount: 1, reference: token.slice(-9) })
      .expect(200);
  for (const token of [ALICE, BOB, ADMIN_TOKEN]) await deposit(token);
  const { acts } = await standalone.market.listOperatorLog({ limit: 3 });
  expect(acts.map(({ operator }) => operator)).toEqual(['operator', 'bob', 'alice']);
});

it('wrong operators’ tokens are counted, and logged at most once in a second without the token', async () => {
  const counted = async (): Promise<number> => {
    const { text } = await request(standalone.app).get('/metrics');
    return Number(/^prediction_market_wrong_tokens_total (\d+)$/m.exec(text)?.[1]);
  };
  const from = '192.0.2.9';
  now += 1000;
  await call('a-secret-guess', from);
  now += 1000;
  lines.length = 0;
  const before = await counted();
  for (let times = 0; times < 3; times += 1) await call('a-secret-guess', from);
  await call(null, from);
  now += 1000;
  await call('a-secret-guess', from);
  expect((await counted()) - before).toBe(4);
  const req = { method: 'GET', path: '/api/v2/admin/treasury', ip: from };
  const line = { level: 40, msg: "a request had a wrong operators' token", req };
  expect(lines.map((text) => JSON.parse(text) as object)).toMatchObject([
    { ...line, unlogged: 0 },
    { ...line, unlogged: 2 },
  ]);
  expect(lines.join()).not.toContain('a-secret-guess');
});
