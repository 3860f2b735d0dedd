import express, { type Express } from 'express';
import request from 'supertest';
import {
  memoryRateLimit,
  operatorOfToken,
  parseOperatorTokens,
  parseTrustProxy,
  requireToken,
  type RateLimitBackend,
  type RequireTokenOptions,
} from '../../src/index';

const TOKEN = 'a-token-of-sixteen-characters';
let now = 0;
const clock = { now: () => now };

function appWith(rateLimit: RateLimitBackend): Express {
  const shared = { token: TOKEN, failedAuthLimit: 2, rateLimit, clock };
  const app = express();
  app.set('trust proxy', parseTrustProxy('1'));
  app.use('/ops', requireToken(shared), (_request, response) => void response.send('let in'));
  const metrics = requireToken({ ...shared, name: 'metrics', realm: 'metrics' });
  app.use('/metrics', metrics, (_request, response) => void response.send('let in'));
  return app;
}

async function ask(app: Express, path: string, token: string, from = '192.0.2.1'): Promise<number> {
  const asked = request(app).get(path).set('Authorization', `Bearer ${token}`);
  return (await asked.set('X-Forwarded-For', from)).status;
}

describe('requireToken', () => {
  it('lets the right token in, and refuses an address after too many wrong ones until the window ends', async () => {
    const app = appWith(memoryRateLimit());
    expect([await ask(app, '/ops', 'wrong'), await ask(app, '/ops', 'wrong')]).toEqual([401, 401]);
    expect([await ask(app, '/ops', 'wrong'), await ask(app, '/ops', TOKEN)]).toEqual([429, 200]);
    expect(await ask(app, '/ops', 'wrong', '192.0.2.2')).toBe(401);
    for (const port of [1024, 1025]) expect(await ask(app, '/ops', 'wrong', `192.0.2.1:${port}`)).toBe(429);
    now += 5 * 60_000;
    expect(await ask(app, '/ops', 'wrong')).toBe(401);
  });

  it('counts each realm apart, and shares the counts of a backend between guards of one realm', async () => {
    const backend = memoryRateLimit();
    const shared = { ...backend, failures: once(backend.failures(5 * 60_000)) };
    const [one, other] = [appWith(shared), appWith(shared)];
    expect([await ask(one, '/ops', 'wrong'), await ask(other, '/ops', 'wrong')]).toEqual([401, 401]);
    expect([await ask(one, '/ops', 'wrong'), await ask(one, '/metrics', 'wrong')]).toEqual([429, 401]);
  });

  it('tells of each wrong token, also of a throttled one, and not of a missing or right one', async () => {
    const told: string[] = [];
    const app = express();
    const onWrongToken = ({ path }: express.Request): void => void told.push(path);
    app.use(requireToken({ token: TOKEN, failedAuthLimit: 1, onWrongToken, clock }), (_request, response) => {
      response.send('let in');
    });
    expect([await ask(app, '/one', 'wrong'), await ask(app, '/two', 'wrong')]).toEqual([401, 429]);
    expect([await ask(app, '/three', TOKEN), (await request(app).get('/four')).status]).toEqual([200, 429]);
    expect(told).toEqual(['/one', '/two']);
  });

  it.each([
    () => {
      throw new Error('full');
    },
    () => Promise.reject(new Error('full')),
  ])('lets no request in whose wrong token could not be told', async (onWrongToken) => {
    const app = express();
    app.use(
      requireToken({ token: TOKEN, onWrongToken, clock }),
      (_request, response) => void response.send(),
    );
    expect(await ask(app, '/', 'wrong')).toBe(500);
  });

  it('passes a failure of the backend on, and lets no request in', async () => {
    const fails = { count: () => Promise.reject(new Error('away')), record: () => undefined };
    expect(await ask(appWith({ ...memoryRateLimit(), failures: () => fails }), '/ops', 'wrong')).toBe(500);
  });

  it.each(['', 'hunter2', `with space ${TOKEN}`, undefined])('refuses %j as its token', (token) => {
    const make = (): unknown => requireToken({ token: token as string });
    expect(make).toThrow(/^requireToken: token .*at least 16 printable ASCII characters without spaces$/);
  });
});

describe('requireToken with the tokens of several operators', () => {
  const alice = 'the-token-of-alice-1';
  const bob = 'the-token-of-bob-22';

  it('lets each token in under the name of its operator, and the token without a name', async () => {
    const app = express();
    app.use(requireToken({ token: TOKEN, tokens: { alice, bob }, clock }));
    app.get('/', (request_, response) => void response.json(operatorOfToken(request_) ?? null));
    const nameOf = async (token: string): Promise<unknown> => {
      const { status, body } = await request(app).get('/').set('Authorization', `Bearer ${token}`);
      return status === 200 ? body : status;
    };
    expect([await nameOf(alice), await nameOf(bob), await nameOf(TOKEN)]).toEqual(['alice', 'bob', null]);
    for (const wrong of ['alice', `${alice}x`, `alice:${alice}`, '']) expect(await nameOf(wrong)).toBe(401);
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`operator ${n}`, `${TOKEN}-${n}`]));

  it.each<[string, unknown]>([
    ['there must be 1 to 100 tokens', {}],
    ['there must be 1 to 100 tokens', many(101)],
    ['name 2 must be a line of 1 to 100 characters', { alice, ['b'.repeat(101)]: bob }],
    ['name 1 must be a line of 1 to 100 characters', { 'a\nb': alice }],
    ['token 2 must be at least 16 printable ASCII characters without spaces', { alice, bob: 'hunter2' }],
    ['two tokens are the same', { alice, bob: alice }],
    ['must be an object of names and tokens, got a text', `alice:${alice}`],
    ['must be an object of names and tokens, got an array', [alice]],
  ])('refuses tokens with the problem that %s, and repeats no token', (problem, tokens) => {
    const make = () => requireToken({ tokens } as RequireTokenOptions);
    expect(make).toThrow(new RegExp(`^requireToken: tokens.* ${problem}$`));
    expect(make).not.toThrow(/hunter2|the-token-of/);
  });

  it('takes 100 tokens, and refuses a token that is also there without a name', () => {
    expect(() => requireToken({ tokens: many(100) })).not.toThrow();
    expect(() => requireToken({ token: alice, tokens: { alice } })).toThrow(/token and tokens must differ$/);
  });

  it.each([undefined, '', ' '])('reads %j as no tokens', (text) => {
    expect(parseOperatorTokens(text)).toBeUndefined();
  });

  it('reads names and tokens, also a token with a colon and a name like that of a prototype', () => {
    const text = ` alice:${alice}, Bob B.: ${bob}:x ,__proto__:${TOKEN}`;
    expect(Object.entries(parseOperatorTokens(text) ?? {})).toEqual([
      ['alice', alice],
      ['Bob B.', `${bob}:x`],
      ['__proto__', TOKEN],
    ]);
  });

  it.each([
    ['name 1 must be a line of 1 to 100 characters', alice],
    ['name 2 must be a line of 1 to 100 characters', `alice:${alice},`],
    ['name 1 must be a line of 1 to 100 characters', `:${alice}`],
    ['token 1 must be at least 16 printable ASCII characters without spaces', `${alice}:alice`],
    ['two names are the same', `alice:${alice},alice:${bob}`],
  ])('says “%s”, and repeats nothing of the text', (problem, text) => {
    const expected = new TypeError(`expected alice:TOKEN,bob:TOKEN; ${problem}`);
    expect(() => parseOperatorTokens(text)).toThrow(expected);
  });
});

const once =
  <Counter>(counter: Counter) =>
  (): Counter =>
    counter;

describe('parseTrustProxy', () => {
  it.each([
    [undefined, false],
    [' ', false],
    ['0', false],
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8,2001:db8::1', ['loopback', '10.0.0.0/8', '2001:db8::1']],
  ])('reads %j as %j', (text, value) => {
    expect(parseTrustProxy(text)).toEqual(value);
  });

  it.each([
    '::ffff:0:0/96',
    '10.0.0.1,::ffff:0.0.0.0/96',
    '::/1',
    '::/80',
    'true',
    '-1',
    '100',
    '1.5',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.1,',
    '0.0.0.0/0',
    '::/000',
  ])('refuses %j, and does not repeat it', (text) => {
    const refused = 'expected the number of proxies in front, or their addresses or subnets';
    expect(() => parseTrustProxy(text)).toThrow(new TypeError(refused));
  });
});
