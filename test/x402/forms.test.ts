import type { PaymentForm } from '../../src/ports/facilitator';
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { createMarket, startService, wallet, type Service } from '../http/support/service';
import { buy, DEPOSIT, FEED, MARKETS, ORACLE, PAID_CALLS, paymentFor, send } from './support/calls';
import { base64, unbase64 } from './support/payer';

const payer = wallet(801);
let service: Service;
beforeAll(async () => {
  const clock = { now: (): number => service.clock.now() };
  service = await startService({ facilitator: developmentFacilitator({ clock }) });
  await service.approve(payer);
});
afterAll(() => service.close());

const FORMS: PaymentForm[] = ['flat', 'v1', 'v2'];

describe.each(FORMS)('a payment in the form %s', (form) => {
  it.each(PAID_CALLS)('buys $name, with a receipt', async (call) => {
    const response = await buy(service, payer, call, { form });
    expect(response.status).toBe(call.status);
    const names =
      form === 'v2' ? ['payment-response', 'x-payment-response'] : ['x-payment-response', 'payment-response'];
    expect(response.headers[names[1] ?? '']).toBeUndefined();
    expect(unbase64(response.headers[names[0] ?? ''])).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: form === 'v1' ? 'base' : 'eip155:8453',
      payer: payer.address,
    });
  });
});

describe('what is bought', () => {
  it('is a market of the paying wallet', async () => {
    const response = await buy(service, payer, {
      ...MARKETS,
      body: (given) => ({ ...MARKETS.body?.(given), resolutionCriteria: undefined }),
    });
    expect(response.body).toMatchObject({
      status: 'open',
      yesPrice: 0.5,
      noPrice: 0.5,
      volume: 0,
      liquidity: 0,
      resolution: null,
      resolutionCriteria: 'Will it rain in Lisbon tomorrow?',
      creator: { address: payer.address, displayName: null },
    });
  });

  it('is credit for the paying wallet', async () => {
    const saver = wallet(802);
    const response = await buy(service, saver, {
      ...DEPOSIT,
      amount: '12345678',
      body: () => ({ amount: 12.345678 }),
    });
    expect(response.body).toMatchObject({ address: saver.address, amount: 12.345678, balance: 12.345678 });
    expect((await service.pm.getAccount({ address: saver.address })).available).toBe(12.345678);
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  });

  it('is a snapshot with the volume of 24 hours', async () => {
    const market = await createMarket(service, payer);
    await service.fund(payer, 100);
    await service.pm.placeTrade({
      wallet: payer.address,
      market,
      side: 'YES',
      amount: 10.05,
    });
    service.clock.advance(23 * 3_600_000);
    await service.pm.placeTrade({
      wallet: payer.address,
      market,
      side: 'YES',
      amount: 10.05,
    });
    const first = (await buy(service, payer, FEED)).body as { markets: object[]; totals: object };
    expect(first.markets[0]).toMatchObject({ id: market, volume: 20, volume24h: 20 });
    expect(first.totals).toMatchObject({ volume: 20, volume24h: 20 });
    service.clock.advance(1 * 3_600_000 - 1);
    const closed = { ...FEED, path: '/x402/feed?category=SCIENCE' };
    expect((await buy(service, payer, closed)).body).toMatchObject({
      totals: { openMarkets: expect.any(Number) },
    });
    const none = { ...FEED, path: '/x402/feed?category=unheard-of' };
    expect((await buy(service, payer, none)).body).toMatchObject({
      markets: [],
      totals: { openMarkets: 0, volume: 0, volume24h: 0 },
    });
  });

  it('is the answer about a market', async () => {
    const market = await createMarket(service, payer, { question: 'Will the answer be about this?' });
    const about = { ...ORACLE, path: `/x402/oracle/resolve?marketId=${String(market)}` };
    expect((await buy(service, payer, about)).body).toMatchObject({
      question: 'Will the answer be about this?',
      outcome: 'UNKNOWN',
    });
  });
});

describe('a payment that is malformed', () => {
  const valid = async (form: PaymentForm): Promise<Record<string, unknown>> => {
    const headers = await paymentFor(service, payer, FEED, { form });
    return unbase64(Object.values(headers)[0]) as Record<string, unknown>;
  };
  const refusal = async (headers: Record<string, string>): Promise<string> => {
    const response = await send(service, FEED, headers);
    expect([response.status, (response.body as { code: string }).code]).toEqual([402, 'PAYMENT_INVALID']);
    return (response.body as { message: string }).message;
  };

  it.each([
    '%',
    'e30=',
    base64([]),
    base64(null),
    base64('text'),
    'x'.repeat(5000),
    Buffer.from('{').toString('base64'),
  ])('is refused: %.20s', async (text) => {
    await refusal({ 'X-PAYMENT': text });
    await refusal({ 'PAYMENT-SIGNATURE': text });
  });

  it.each([
    ['from', '0x0000000000000000000000000000000000000000'],
    ['from', 5],
    ['to', 'no address'],
    ['value', '01000'],
    ['value', 1000],
    ['value', '-1'],
    ['value', '1'.repeat(78)],
    ['validAfter', '1.5'],
    ['validBefore', ''],
    ['nonce', '0x12'],
    ['nonce', 7],
    ['signature', undefined],
    ['signature', 'text'],
    ['network', 'base'],
    ['network', 'eip155:1'],
    ['currency', 'EURC'],
  ])('is refused for its field %s: %s', async (name, value) => {
    await refusal({ 'X-PAYMENT': base64({ ...(await valid('flat')), [name]: value }) });
  });

  it.each([
    ['v1', 'scheme', 'upto'],
    ['v1', 'network', 'base-sepolia'],
    ['v1', 'x402Version', 3],
    ['v1', 'payload', null],
    ['v1', 'payload', { signature: '0x', authorization: [] }],
    ['v2', 'accepted', { scheme: 'upto', network: 'eip155:8453' }],
    ['v2', 'accepted', { scheme: 'exact', network: 'eip155:1' }],
    ['v2', 'accepted', undefined],
    ['v2', 'payload', {}],
  ] as const)('in the form %s is refused for %s: %s', async (form, name, value) => {
    const header = form === 'v1' ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    await refusal({ [header]: base64({ ...(await valid(form)), [name]: value }) });
  });

  it('is refused when two are sent', async () => {
    const one = await paymentFor(service, payer, FEED, { form: 'v1' });
    const two = await paymentFor(service, payer, FEED, { form: 'v2' });
    expect(await refusal({ ...one, ...two })).toMatch(/not both/);
  });

  it('is refused for a signature of another signer, of another domain, or in another form', async () => {
    const stranger = { change: { from: wallet(803).address } };
    expect(await refusal(await paymentFor(service, payer, FEED, stranger))).toMatch(/signature/);
    const foreign = { domain: { chainId: 1 } };
    expect(await refusal(await paymentFor(service, payer, FEED, foreign))).toMatch(/signature/);
    const short = { signature: '0x1234' };
    expect(await refusal(await paymentFor(service, payer, FEED, short))).toMatch(/signature/);
  });

  it('is refused for another recipient, amount or window', async () => {
    const seconds = Math.floor(service.clock.now() / 1000);
    const changes = [
      [{ to: wallet(804).address }, /recipient/],
      [{ value: '999' }, /1000 base units/],
      [{ value: '1001' }, /1000 base units/],
      [{ validAfter: String(seconds + 1) }, /not valid yet/],
      [{ validBefore: String(seconds + 5) }, /expired/],
    ] as const;
    for (const [change, text] of changes) {
      expect(await refusal(await paymentFor(service, payer, FEED, { change }))).toMatch(text);
    }
    const inTime = { change: { validBefore: String(seconds + 6), validAfter: String(seconds - 1) } };
    expect((await buy(service, payer, FEED, inTime)).status).toBe(200);
  });

  it('in the flat form is refused for a nonce of its own, of another call, or expired', async () => {
    const own = { change: { nonce: `0x${'12'.repeat(32)}` } };
    expect(await refusal(await paymentFor(service, payer, FEED, own))).toMatch(/not issued for this request/);
    const feed = await paymentFor(service, payer, FEED);
    const paidFeed = unbase64(feed['X-PAYMENT']) as { nonce: string };
    const moved = await paymentFor(service, payer, MARKETS, { change: { nonce: paidFeed.nonce } });
    const refused = await send(service, MARKETS, moved);
    expect(refused.body).toMatchObject({
      code: 'PAYMENT_INVALID',
      message: expect.stringMatching(/not issued/),
    });
    const late = { change: { nonce: paidFeed.nonce } };
    service.clock.advance(301_000);
    expect(await refusal(await paymentFor(service, payer, FEED, late))).toMatch(/nonce has expired/);
  });
});

it('a host gets the same from the typed methods without paying', async () => {
  expect(await service.pm.getMarketFeed({ category: 'unheard-of' })).toMatchObject({ markets: [] });
  const asked = { question: 'Will it rain?', resolutionCriteria: 'Any rain.' };
  expect(await service.pm.askQuestion(asked)).toMatchObject({
    question: 'Will it rain?',
    outcome: 'UNKNOWN',
  });
  expect((await service.pm.listPayments({ status: 'rejected', limit: 1 })).payments).toHaveLength(0);
});
