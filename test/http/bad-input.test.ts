import type { Response } from 'supertest';
import { API, createMarket, marketBody, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(601);
let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({
    addressRateLimit: 1_000_000,
    failedAuthLimit: 1_000_000,
    keyRateLimit: 1_000_000,
  });
  await createMarket(service, owner);
  key = await service.issueKey(owner);
  await service.fund(owner, 1_000);
});
afterAll(() => service.close());

interface Target {
  method: 'post' | 'patch';
  path: string;
  valid: Record<string, unknown>;
}

const signedBody = {
  address: owner.address,
  message: 'm',
  signature: `0x${'1'.repeat(130)}`,
  nonce: 'a'.repeat(48),
};
const targets: Target[] = [
  { method: 'post', path: `${API}/auth/challenge`, valid: { address: owner.address, action: 'issue' } },
  { method: 'post', path: `${API}/auth/token`, valid: { ...signedBody, label: 'a' } },
  { method: 'post', path: `${API}/auth/keys/1/revoke`, valid: signedBody },
  { method: 'post', path: `${API}/auth/keys/1/regenerate`, valid: signedBody },
  {
    method: 'post',
    path: `${API}/creator/apply`,
    valid: { ...signedBody, displayName: 'a', statement: 'b' },
  },
  {
    method: 'post',
    path: `${API}/public/markets`,
    valid: {
      question: 'Will it?',
      description: 'd',
      resolutionCriteria: 'c',
      resolveDate: '2027-04-01T00:00:00Z',
      category: 'crypto',
    },
  },
  {
    method: 'post',
    path: `${API}/public/markets/1/trade`,
    valid: { side: 'YES', action: 'buy', amount: 10, maxPrice: 0.9, minShares: 1 },
  },
  { method: 'post', path: `${API}/public/markets/1/trade`, valid: { side: 'YES', shares: 5, maxCost: 9 } },
  { method: 'post', path: `${OPS}/creators/${owner.address}/reject`, valid: { reason: 'r' } },
  { method: 'post', path: `${OPS}/creators/${owner.address}/suspend`, valid: { reason: 'r' } },
  { method: 'post', path: `${OPS}/accounts/${owner.address}/deposits`, valid: { amount: 1, reference: 'x' } },
  { method: 'post', path: `${OPS}/treasury/deposits`, valid: { amount: 1, reference: 'house' } },
  { method: 'post', path: `${OPS}/markets/1/resolve`, valid: { outcome: 'YES', note: 'n' } },
  {
    method: 'post',
    path: `${OPS}/webhooks`,
    valid: { url: 'https://receiver.example/', description: 'd', events: ['trade'], seq: 1 },
  },
  { method: 'post', path: `${OPS}/webhooks/1/replay`, valid: { seq: 1 } },
  { method: 'post', path: `${OPS}/consumers/books/resume`, valid: { seq: 1 } },
  { method: 'post', path: `${OPS}/consumers/books/skip`, valid: { fact: 'a:1' } },
  { method: 'patch', path: `${OPS}/keys/1`, valid: { rateLimit: 5, scopes: ['markets:read'] } },
];

/** The values are JSON texts, because some of them cannot be written as values of JavaScript. */
const badValues = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"x\\udfff"',
  '"\\u202e abc"',
  '"a\\u2066b"',
  '"\\u200b\\u200d"',
  '" \\t "',
  '"\\u0007"',
  '"5"',
  '1e400',
  '-1e400',
  '-0',
  '-5',
  '0.0000001',
  '1.2345678',
  '1e21',
  '9007199254740993',
  '[]',
  '["a"]',
  '[["a"]]',
  '{}',
  '{"toString":1}',
  'true',
  `"${'x'.repeat(2001)}"`,
  '"2027-04-31T00:00:00Z"',
  '"2027-04-01T00:00:00"',
  '"2027-04-01T25:00:00Z"',
  '"0x1234"',
];

/** The schema accepts any text in these fields. Later checks refuse a wrong text, for example as an unknown nonce. */
const FREE_TEXTS = new Set([
  'message',
  'signature',
  'nonce',
  'label',
  'displayName',
  'statement',
  'reason',
  'note',
]);
const FREE_MORE = new Set(['reference', 'question', 'description', 'resolutionCriteria']);

function expectRefusal(response: Response, what: string): void {
  const text = `${what}: ${String(response.status)} ${response.text}`;
  if (response.status < 400 || response.status >= 500) throw new Error(text);
  expect(response.type).toBe('application/json');
  if (/\n\s+at |<html|node_modules/i.test(response.text)) throw new Error(text);
}

describe.each(targets)('$method $path', ({ method, path, valid }) => {
  const send = (json: string): Promise<Response> => service.call(method, path, { key, body: json });

  it('refuses a body that is no object', async () => {
    for (const json of ['null', '5', '"text"', '[]', 'true', '[{}]', '{"a"', '']) {
      const response = await send(json);
      if (json === '' && Object.keys(valid).length === 0) continue;
      expectRefusal(response, json);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'extra', 'Address', ''])(
    'refuses the unknown key %j',
    async (name) => {
      for (const value of ['1', '{}', '{"isAdmin":true}', 'null']) {
        const json = `${JSON.stringify(valid).slice(0, -1)},${JSON.stringify(name)}:${value}}`;
        const response = await send(json);
        expectRefusal(response, json);
        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR' });
      }
    },
  );

  it.each(Object.keys(valid))('refuses a wrong %s', async (field) => {
    for (const value of badValues) {
      const others = Object.entries(valid).filter(([name]) => name !== field);
      const fields = [...others.map(([name, each]) => [name, JSON.stringify(each)]), [field, value]];
      const json = `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${String(each)}`).join(',')}}`;
      if (mayBeRight(field, value)) continue;
      const response = await send(json);
      expectRefusal(response, json);
      if (!FREE_TEXTS.has(field)) expect([field, value, response.status]).toEqual([field, value, 400]);
    }
  });

  it('refuses deep and wide JSON', async () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    const objects = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`;
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`k${String(index)}`, 1])),
    );
    for (const json of [deep, objects, wide, `{"address":${deep}}`, `{"question":${objects}}`]) {
      const response = await send(json);
      expectRefusal(response, 'deep');
      expect(response.status).toBe(400);
    }
  });
});

/** A value that is wrong for other fields may be right for this field. */
function mayBeRight(field: string, value: string): boolean {
  const text = value.startsWith('"') && !/\\u|\\t/.test(value);
  if ((FREE_TEXTS.has(field) || FREE_MORE.has(field)) && text && value.length < 2000) return true;
  if (field === 'rateLimit' && value === '9007199254740993') return false;
  if (field === 'scopes' && value === '[]') return true;
  return false;
}

describe('queries', () => {
  const markets = `${API}/public/markets`;
  it.each([
    `${markets}?limit=0`,
    `${markets}?limit=-1`,
    `${markets}?limit=1.5`,
    `${markets}?limit=`,
    `${markets}?limit=abc`,
    `${markets}?limit=0x10`,
    `${markets}?limit=%20%205`,
    `${markets}?limit=1&limit=2`,
    `${markets}?offset=-1`,
    `${markets}?offset=99999999999999999999`,
    `${markets}?status=closed`,
    `${markets}?status=OPEN`,
    `${markets}?status=open&status=open`,
    `${markets}?sort=name`,
    `${markets}?category=a&category=b`,
    `${markets}?category=%00`,
    `${markets}/1/trades?side=yes`,
    `${markets}/1/trades?side=YES&side=YES`,
    `${markets}/1/price?amount=10`,
    `${markets}/1/price?side=YES&amount=10&shares=5`,
    `${markets}/1/price?side=YES&amount=ten`,
    `${markets}/1/price?side=YES&amount=1e400`,
    `${markets}/1/price?side=YES&amount=-1`,
    `${markets}/1/price?side=YES&amount=0.0000001`,
    `${markets}/1/price?side=YES&action=hold&amount=1`,
    `${markets}/1/history?interval=2h`,
    `${markets}/1/history?startTime=yesterday`,
    `${markets}/1/history?startTime=2027-02-30T00:00:00Z`,
    `${markets}/1/history?startTime=2027-02-03T00:00:00`,
    `${markets}/1/history?limit=0`,
    `${API}/public/positions?status=won`,
    `${API}/public/positions/history?limit=none`,
    `${API}/auth/keys`,
    `${API}/auth/keys?address=0x1`,
    `${API}/auth/keys?address=${owner.address}&address=${owner.address}`,
    `${API}/creator/status`,
    `${API}/creator/status?address=%zz`,
    `${OPS}/creators?status=good`,
    `${OPS}/creators?limit=0`,
  ])('with %s are a 400', async (path) => {
    const response = await service.call('get', path, { key });
    expectRefusal(response, path);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    if (!path.startsWith(`${API}/auth`)) {
      const { errors } = response.body as { errors: { field: string; message: string }[] };
      expect(errors.length).toBeGreaterThan(0);
    }
  });

  it.each([
    '?what=ever',
    '?what=1&what=2',
    '?__proto__=1',
    '?constructor=1',
    '?%zz=1',
    '?limit=5&&&',
    '?',
    '?=x',
  ])('with unknown names are served: %s', async (search) => {
    expect((await service.call('get', markets + search, { key })).status).toBe(200);
  });
});

describe('paths', () => {
  it('with any text for a market, an address or a key are refused with a 4xx', async () => {
    const texts = [
      '%00',
      '%ff',
      '%zz',
      '%F0%9F',
      '%2e%2e',
      'a'.repeat(5_000),
      "'",
      '%22',
      '%0a',
      '__proto__',
      '1;drop',
      'NaN',
    ];
    for (const text of texts) {
      for (const path of [
        `${API}/public/markets/${text}`,
        `${API}/public/markets/${text}/price`,
        `${OPS}/accounts/${text}`,
        `${API}/public/${text}`,
        `${API}/${text}`,
      ]) {
        expectRefusal(await service.call('get', path, { key }), path);
      }
      expectRefusal(
        await service.call('post', `${API}/auth/keys/${text}/revoke`, { body: signedBody }),
        text,
      );
      expectRefusal(await service.call('patch', `${OPS}/keys/${text}`, { body: { rateLimit: 5 } }), text);
    }
  });
});

describe('credentials', () => {
  it('of any text get a 401', async () => {
    const keys = [
      'x',
      'pmk_',
      `pmk_${'0'.repeat(36)}`,
      'é',
      'a'.repeat(5_000),
      `${key}x`,
      key.toUpperCase(),
      `Bearer ${key}`,
      '%00',
    ];
    for (const each of keys) {
      const response = await service.call('get', `${API}/public/markets`, { key: encodeURI(each) });
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ error: 'Invalid or missing API key.' });
    }
  });
});

it('the length of a question is counted in code points', async () => {
  const body = marketBody(service);
  const ok = await service.call('post', `${API}/public/markets`, {
    key,
    body: { ...body, question: '🎲'.repeat(280) },
  });
  expect(ok.status).toBe(201);
  const long = await service.call('post', `${API}/public/markets`, {
    key,
    body: { ...body, question: '🎲'.repeat(281) },
  });
  expect(long.status).toBe(400);
  expect(long.body).toMatchObject({ errors: [{ field: 'question' }] });
});
