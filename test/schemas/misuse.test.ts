import express from 'express';
import { createTestMarket, type TestMarket } from '../../testing';
import { errorsOf } from './support';
import { tradeBody } from '../../src/schemas/trades';
import { parseBody } from '../../src/schemas/parse';

type Loose = Record<string, (...given: unknown[]) => Promise<unknown>>;
const RULE = 'must be an ISO 8601 date-time with an offset, such as 2027-01-31T12:00:00Z';
const ADDRESS = 'must be an EVM address: 0x and 40 hex digits, not zero, mixed case right by EIP-55';

let market: TestMarket;
beforeAll(async () => {
  market = await createTestMarket();
});
afterAll(() => market.close());

it.each<[method: string, given: unknown, message: string]>([
  ['getBalance', 'an address', 'The input must be an object, such as { wallet: … }'],
  ['placeTrade', 5, "The input must be an object, such as { side: 'YES' | 'NO', wallet: …, market: … }"],
  [
    'issueKey',
    null,
    'The input must be an object, such as { address: …, message: …, signature: …, nonce: … }',
  ],
  [
    'listMarkets',
    'open',
    "The input must be an object, such as { status: 'open' | 'resolving' | 'resolved' }",
  ],
  ['placeTrade', { maxprice: 0.5 }, 'maxprice is not allowed; did you mean maxPrice?'],
  ['createMarket', { resolvesAt: 'x' }, 'resolvesAt is not allowed; did you mean resolveDate?'],
  ['getBalance', { purse: 'x' }, 'purse is not allowed; wallet is required'],
  ['createMarket', { resolve_date: 'x' }, 'resolve_date is not allowed; did you mean resolveDate?'],
  ['createMarket', { resolveDate: new Date(0) }, `resolveDate ${RULE}`],
  ['getBalance', { wallet: { address: '0x1' } }, `wallet ${ADDRESS}`],
])('%s(%j) says what to give', async (method, given, message) => {
  const { [method]: call } = market.pm as unknown as Loose;
  const error = await call?.(given).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(String(error)).toContain(message);
});

const RESOLVE = "The input must be an object, such as { outcome: 'YES' | 'NO' | 'VOID', market: … }";
const OPERATOR = 'The operator must be an object, such as { operator: … }';

it.each<[method: string, given: unknown[], message: string]>([
  ['resolveMarket', [1, 'YES'], RESOLVE],
  ['resolveMarket', [1], RESOLVE],
  ['resolveMarket', [{ market: 1, outcome: 'yes' }], 'outcome must be one of [YES, NO, VOID]'],
  ['resolveMarket', [{ market: 1, outcome: 'YES' }, 'Ann'], OPERATOR],
  ['resolveMarket', [{ market: 1, outcome: 'YES' }, null], OPERATOR],
  ['closeMarket', [1, 'Ann'], 'The input must be an object, such as { market: … }'],
  ['approveCreator', ['0x1', 'Ann'], 'The input must be an object, such as { address: … }'],
  ['removeConsumer', ['mail', 'Ann'], OPERATOR],
  ['resumeConsumer', ['mail', 5], 'The input must be an object, such as { from: '],
  ['listParkedFacts', ['mail', 'all'], 'The input must be an object, such as { limit: … }'],
  ['redoParkedFacts', ['mail', 'fact'], 'The input must be an object, such as { fact: … }'],
  ['redoParkedFacts', ['mail', {}, 'Ann'], OPERATOR],
  ['skipParkedFact', ['mail', null], 'The input must be an object, such as { fact: … }'],
])('%s(%j) names the argument and shows it', async (method, given, message) => {
  const { [method]: call } = market.pm as unknown as Loose;
  const error = await call?.(...given).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain(';');
});

it('a hostile name of a field is answered briefly', () => {
  const errors = errorsOf(() => parseBody(tradeBody, { [`maxPrice${'x'.repeat(100_000)}`]: 1 }));
  expect(errors[0]?.message.length).toBeLessThan(150);
});

it.each([
  ['the app', express(), 'got the function app'],
  ['nothing', undefined, 'attachWebSocket: the server is required'],
  ['a port', 3000, 'got 3000'],
])('attachWebSocket of %s says what it takes', (_what, server, message) => {
  const attach = (): void => market.pm.attachWebSocket(server as never);
  expect(attach).toThrow('must be the server of Node that app.listen() or createServer(app) returns');
  expect(attach).toThrow(message);
});

it.each([
  [undefined, null],
  [null, 'audit: the options must be an object, got null'],
  ['all', 'audit: the options must be an object, got a text'],
  [{ onstep: () => undefined }, 'audit: unknown option onstep; did you mean onStep?'],
  [{ onStep: true }, 'audit: onStep must be a function, got true'],
])('audit(%j) is run, or says what it takes', async (given, message) => {
  const audited: unknown = await market.pm.audit(given as never).catch((reason: unknown) => reason);
  if (message === null) expect(audited).toMatchObject({ ok: true });
  else expect(String(audited)).toContain(message);
});
