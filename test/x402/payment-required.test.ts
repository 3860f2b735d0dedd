import { memoryStorage } from '../../adapters/storage/memory';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { API, createService, startService, wallet, type Service, PAY_TO } from '../http/support/service';
import {
  buy,
  paymentRequiredOf,
  DEPOSIT,
  FEED,
  MARKETS,
  PAID_CALLS,
  paymentFor,
  send,
} from './support/calls';
import { unbase64 } from './support/payer';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const facilitator = fakeFacilitator();
const storage = memoryStorage();
let asked = 0;
let service: Service;
beforeAll(async () => {
  const counted = {
    ...storage,
    read: (work: Parameters<typeof storage.read>[0]) => ((asked += 1), storage.read(work)),
    transaction: (work: Parameters<typeof storage.transaction>[0]) => (
      (asked += 1),
      storage.transaction(work)
    ),
    snapshot: (work: Parameters<typeof storage.snapshot>[0]) => ((asked += 1), storage.snapshot(work)),
  } as typeof storage;
  service = await startService({
    storage: counted,
    facilitator,
    baseUrl: 'https://markets.example/base',
    jobIntervalMs: 86_400_000,
  });
});
afterAll(() => service.close());

describe('a call without a payment', () => {
  it.each(PAID_CALLS)('to $name is answered for all three kinds of client', async (call) => {
    const response = await send(service, call);
    expect(response.status).toBe(402);
    const path = call.path.split('?')[0] ?? '';
    const common = {
      asset: USDC,
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    };
    const resource = `https://markets.example/base${API}${path}`;
    const body = response.body as Record<string, unknown>;
    expect(body).toEqual({
      error: body['message'],
      code: 'PAYMENT_REQUIRED',
      message: expect.any(String),
      amount: call.amount,
      currency: 'USDC',
      network: 'eip155:8453',
      payTo: PAY_TO,
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: call.amount,
          resource,
          description: expect.any(String),
          mimeType: 'application/json',
          ...common,
        },
      ],
    });
    expect(unbase64(response.headers['payment-required'])).toEqual({
      x402Version: 2,
      error: body['message'],
      resource: { url: resource, description: expect.any(String), mimeType: 'application/json' },
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: call.amount, ...common }],
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('asks no database and no facilitator, and is not counted', async () => {
    const before = asked;
    for (let index = 0; index < 100; index += 1) {
      const response = await send(service, FEED);
      expect(response.status).toBe(402);
      expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    }
    // The relay may poll the storage meanwhile.
    expect(asked - before).toBeLessThan(10);
    expect(facilitator.calls).toEqual([]);
  });

  it('gets a payment nonce of its own each time', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 20 }, async () => (await paymentRequiredOf(service, FEED)).nonce),
    );
    expect(new Set(nonces).size).toBe(20);
  });

  it('needs no valid body, except where the body names the price', async () => {
    const priced = await service.call('post', `${API}/x402/markets`, { body: '{' });
    expect(priced.status).toBe(402);
    for (const body of [{}, { amount: 0 }, { amount: '5' }, { amount: 0.0000001 }, { amount: 5, extra: 1 }]) {
      const response = await service.call('post', `${API}/x402/deposit`, { body });
      expect(response.status).toBe(400);
      expect((response.body as { errors: unknown[] }).errors).toHaveLength(1);
    }
  });

  it('by HEAD is answered by the headers alone, paid or not', async () => {
    const headers = await paymentFor(service, wallet(821), FEED);
    for (const sent of [{}, headers]) {
      const response = await service.call('head', `${API}/x402/feed`, { headers: sent });
      expect([response.status, response.text ?? '']).toEqual([402, '']);
      expect(unbase64(response.headers['payment-required'])).toMatchObject({ x402Version: 2 });
    }
    expect(facilitator.calls).toEqual([]);
  });
});

describe('browsers', () => {
  it('may ask from any page', async () => {
    for (const { method, path } of PAID_CALLS) {
      const response = await service.call('options', API + path, {
        headers: {
          Origin: 'https://elsewhere.example',
          'Access-Control-Request-Method': method.toUpperCase(),
          'Access-Control-Request-Headers':
            'x-payment, payment-signature, content-type, access-control-expose-headers',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-methods']).toContain(method.toUpperCase());
      const allowed = String(response.headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed.sort()).toEqual([
        'access-control-expose-headers',
        'content-type',
        'payment-signature',
        'x-payment',
      ]);
    }
  });

  it('may read every answer and its headers, on these routes only', async () => {
    const bought = await buy(service, wallet(822), FEED);
    const wrong = await service.call('post', `${API}/x402/deposit`, { body: {} });
    const unknown = await service.call('get', `${API}/x402/nothing`);
    for (const response of [await send(service, MARKETS), bought, wrong, unknown]) {
      expect(response.headers['access-control-allow-origin']).toBe('*');
      const exposed = String(response.headers['access-control-expose-headers']).split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']),
      );
    }
    const elsewhere = await service.call('get', `${API}/public/markets`);
    expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the payment information', () => {
  it('lists what can be bought, with requirements that can be signed', async () => {
    const response = await service.call('get', `${API}/x402/info`);
    expect(response.status).toBe(200);
    const info = response.body as {
      endpoints: { method: string; path: string; price: number | null; requirements: object | null }[];
    };
    expect(info).toMatchObject({
      x402Versions: [1, 2],
      currency: 'USDC',
      network: 'eip155:8453',
      asset: USDC,
      assetName: 'USD Coin',
      assetVersion: '2',
      payTo: PAY_TO,
    });
    expect(info.endpoints.map(({ method, path, price }) => [method, path, price])).toEqual([
      ['GET', `${API}/x402/feed`, 0.001],
      ['GET', `${API}/x402/oracle/resolve`, 0.05],
      ['POST', `${API}/x402/markets`, 1],
      ['POST', `${API}/x402/deposit`, null],
    ]);
    const [feed] = info.endpoints;
    const paymentRequired = await paymentRequiredOf(service, FEED);
    const fromInfo = { ...paymentRequired, ...feed?.requirements };
    expect(fromInfo.nonce).not.toBe(paymentRequired.nonce);
    const change = { nonce: fromInfo.nonce };
    expect((await buy(service, wallet(823), FEED, { change })).status).toBe(200);
  });
});

describe('the service', () => {
  it('takes nothing before it has started', async () => {
    const unstarted = await createService();
    for (const path of ['/x402/feed', '/x402/info']) {
      const response = await unstarted.call('get', API + path);
      expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    }
  });

  it('sells at the prices that its operator has set', async () => {
    const dear = await startService({ prices: { feed: 0.002, oracleResolve: 1, createMarket: 2.5 } });
    const amounts = [];
    for (const call of PAID_CALLS) amounts.push((await paymentRequiredOf(dear, call)).amount);
    expect(amounts).toEqual(['2000', '1000000', '2500000', DEPOSIT.amount]);
    await dear.close();
    await expect(startService({ prices: { feed: 0 } })).rejects.toThrow('prices.feed');
  });

  it('answers 503 while its storage is away, and charges nothing', async () => {
    const inner = memoryStorage();
    const paying = fakeFacilitator();
    const frail = await startService({ storage: inner, facilitator: paying });
    const headers = await paymentFor(frail, wallet(824), FEED);
    await inner.close();
    const response = await send(frail, FEED, headers);
    expect([response.status, (response.body as { code: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(paying.calls).toEqual([]);
    await frail.close();
  });
});
