import type { Response } from 'supertest';
import {
  createPredictionMarket,
  predictionMarketOf,
  type PredictionMarket,
} from '../../src/create-prediction-market';
import { createParts } from '../../src/parts';
import { realTimers, type Timers } from '../../src/ports/timers';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { fakeOracle, type FakeOracle } from '../../testing/fake-oracle';
import { startService, wallet, OPS, type Service } from '../http/support/service';
import {
  DEPOSIT,
  FEED,
  MARKETS,
  ORACLE,
  PAID_CALLS,
  buy,
  paymentFor,
  send,
  type PaidCall,
} from './support/calls';
import { mortal, mortalFacilitator, mortalStorage, type Mortal } from './support/mortal';
import { until } from '../support/until';
import { describeOnEveryStorage, type SharedData } from './support/storages';

const payer = wallet(811);
const DAY_MS = 86_400_000;
const LEASE_MS = 6_000;

/** Runs timers 20 times as fast, so that the test takes less time. */
function inHaste(options: PredictionMarketOptions): PredictionMarket {
  const hurried: Timers = {
    ...realTimers,
    after: (milliseconds, callback) => realTimers.after(milliseconds / 20, callback),
  };
  return predictionMarketOf(createParts(options, hurried), options);
}

const codeOf = (response: Response): string =>
  `${response.status} ${(response.body as { code?: string }).code ?? ''}`;

describeOnEveryStorage('a payment', (create) => {
  let data: SharedData;
  let facilitator: FakeFacilitator;
  let oracle: FakeOracle;
  let services: Service[];
  beforeEach(async () => {
    data = await create();
    facilitator = fakeFacilitator();
    oracle = fakeOracle();
    services = [];
  });
  afterEach(async () => {
    for (const service of services) await service.close();
    await data.destroy();
  });

  async function start(self: Mortal = mortal(null), make = createPredictionMarket): Promise<Service> {
    const options = {
      storage: mortalStorage(data.handle(), self),
      facilitator: mortalFacilitator(facilitator, self),
      oracle,
      jobIntervalMs: DAY_MS,
    };
    const service = await startService(options, make);
    services.push(service);
    const first = services[0];
    if (first !== undefined) service.clock.advance(first.clock.now() - service.clock.now());
    return service;
  }

  /** Closes the instance, because the database has a limit of open connections. */
  async function forget(service: Service): Promise<void> {
    services = services.filter((other) => other !== service);
    await service.close();
  }

  const settlements = (): number => facilitator.calls.filter(({ method }) => method === 'settle').length;
  const marketsOf = async (service: Service): Promise<number> => (await service.pm.listMarkets()).total;
  const balanceOf = async (service: Service): Promise<number> =>
    (await service.pm.getAccount({ address: payer.address })).balance;
  async function statuses(service: Service): Promise<string[]> {
    const response = await service.call('get', `${OPS}/payments`);
    return (response.body as { payments: { status: string }[] }).payments.map(({ status }) => status);
  }

  it('is settled and run once for 50 copies at once', async () => {
    const service = await start();
    await service.approve(payer);
    const headers = await paymentFor(service, payer, MARKETS);
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(service, MARKETS, headers)));
    const codes = responses.map(codeOf);
    expect(codes.filter((code) => code === '201 ').length).toBeGreaterThanOrEqual(1);
    expect(codes.filter((code) => code !== '201 ' && code !== '402 PAYMENT_INVALID')).toEqual([]);
    expect(settlements()).toBe(1);
    expect(await marketsOf(service)).toBe(1);
    expect(codeOf(await send(service, MARKETS, headers))).toBe('402 PAYMENT_INVALID');
    expect(await statuses(service)).toEqual(['delivered']);
  });

  it('is settled and run once for 50 copies over two instances', async () => {
    const [one, two] = [await start(), await start()];
    const headers = await paymentFor(one, payer, DEPOSIT);
    const copies = Array.from({ length: 50 }, (_, index) =>
      send(index % 2 === 0 ? one : two, DEPOSIT, headers),
    );
    const codes = (await Promise.all(copies)).map(codeOf);
    expect(codes.filter((code) => code === '201 ').length).toBeGreaterThanOrEqual(1);
    expect(codes.filter((code) => code !== '201 ' && code !== '402 PAYMENT_INVALID')).toEqual([]);
    expect(settlements()).toBe(1);
    expect(await balanceOf(two)).toBe(25);
    expect(await two.pm.audit()).toMatchObject({ ok: true });
  });

  it('serves its own request only', async () => {
    const service = await start();
    facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
    const headers = await paymentFor(service, payer, FEED);
    expect(codeOf(await send(service, FEED, headers))).toBe('503 SETTLEMENT_PENDING');
    const other = await send(service, { ...FEED, path: '/x402/feed?limit=6' }, headers);
    expect(codeOf(other)).toBe('402 PAYMENT_INVALID');
    expect((other.body as { message: string }).message).toMatch(/another request/);
    const standard = await paymentFor(service, payer, DEPOSIT, { form: 'v2' });
    expect(codeOf(await send(service, DEPOSIT, standard))).toBe('503 SETTLEMENT_PENDING');
    const more = { ...DEPOSIT, body: () => ({ amount: 26 }) };
    expect(codeOf(await send(service, more, standard))).toBe('402 PAYMENT_INVALID');
  });

  it('by a wallet without approval is charged for its 403', async () => {
    const service = await start();
    const stranger = wallet(812);
    const response = await buy(service, stranger, MARKETS);
    expect(codeOf(response)).toBe('403 INSUFFICIENT_PERMISSIONS');
    const { message } = response.body as { message: string };
    expect(message).toMatch(
      /the status of this wallet is none\..*\. This payment was charged and is not refunded$/,
    );
    expect(response.headers['x-payment-response']).toEqual(expect.any(String));
    expect([settlements(), await marketsOf(service)]).toEqual([1, 0]);
    await until(async () => (await statuses(service)).join() === 'delivered');
  });

  it('is not asked for when the request is wrong', async () => {
    const service = await start();
    await service.approve(payer);
    const soon = new Date(service.clock.now() + 3_599_000).toISOString();
    const wrong: [PaidCall, string][] = [
      [{ ...MARKETS, body: (given) => ({ ...MARKETS.body?.(given), resolveDate: soon }) }, 'resolveDate'],
      [{ ...MARKETS, body: (given) => ({ ...MARKETS.body?.(given), question: '' }) }, 'question'],
      [{ ...MARKETS, body: () => ({}) }, 'category'],
      [{ ...FEED, path: '/x402/feed?limit=0' }, 'limit'],
      [{ ...ORACLE, path: '/x402/oracle/resolve' }, 'question'],
      [{ ...ORACLE, path: '/x402/oracle/resolve?question=Q&marketId=1' }, 'marketId'],
    ];
    for (const [call, field] of wrong) {
      const response = await buy(service, payer, call);
      expect(codeOf(response)).toBe('400 VALIDATION_ERROR');
      const { errors } = response.body as { errors: { field: string }[] };
      expect(errors.map((error) => error.field)).toContain(field);
    }
    const unknown = await buy(service, payer, { ...ORACLE, path: '/x402/oracle/resolve?marketId=99' });
    expect(codeOf(unknown)).toBe('404 MARKET_NOT_FOUND');
    expect(facilitator.calls).toEqual([]);
    expect(await statuses(service)).toEqual([]);
  });

  it('is refused for good when the facilitator refuses it', async () => {
    const service = await start();
    facilitator.verifyWith({ status: 'invalid', reason: 'bad_window' });
    const headers = await paymentFor(service, payer, FEED);
    expect(codeOf(await send(service, FEED, headers))).toBe('402 PAYMENT_INVALID');
    facilitator.verifyWith({ status: 'valid' });
    expect(codeOf(await send(service, FEED, headers))).toBe('402 PAYMENT_INVALID');
    facilitator.verifyWith({ status: 'insufficient_funds' });
    const poor = await buy(service, payer, FEED);
    expect(codeOf(poor)).toBe('402 INSUFFICIENT_FUNDS');
    expect(poor.body).toMatchObject({ amount: '1000', nonce: expect.any(String), accepts: [{}] });
    facilitator.verifyWith({ status: 'valid' });
    facilitator.settleWith({ status: 'insufficient_funds' });
    expect(codeOf(await buy(service, payer, FEED))).toBe('402 INSUFFICIENT_FUNDS');
    facilitator.settleWith({ status: 'invalid', reason: 'reverted' });
    expect(codeOf(await buy(service, payer, FEED))).toBe('402 PAYMENT_INVALID');
    expect(await statuses(service)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    expect((await send(service, FEED)).body).not.toEqual(poor.body);
  });

  it('is not charged while the facilitator or the oracle is away, and can be tried again', async () => {
    const service = await start();
    facilitator.verifyWith({ status: 'unavailable', reason: 'down' });
    const feed = await paymentFor(service, payer, FEED);
    const away = await send(service, FEED, feed);
    expect([codeOf(away), away.headers['retry-after']]).toEqual(['503 FACILITATOR_UNAVAILABLE', '2']);
    expect(service.warnings.at(-1)).toMatchObject({ code: 'FACILITATOR_UNAVAILABLE', cause: 'down' });
    expect(away.text).not.toContain('down');
    facilitator.verifyWith({ status: 'valid' });
    facilitator.settleWith({ status: 'unavailable', reason: 'no gas' });
    expect(codeOf(await send(service, FEED, feed))).toBe('503 FACILITATOR_UNAVAILABLE');
    facilitator.settleWith({ status: 'settled', transaction: '0xfeed' });
    expect(codeOf(await send(service, FEED, feed))).toBe('200 ');

    oracle.fail();
    const question = await paymentFor(service, payer, ORACLE);
    const before = settlements();
    expect(codeOf(await send(service, ORACLE, question))).toBe('503 ORACLE_UNAVAILABLE');
    expect(settlements()).toBe(before);
    oracle.answer('YES', { probability: 0.9 });
    const answered = await send(service, ORACLE, question);
    expect([answered.status, (answered.body as { probability: number }).probability]).toEqual([200, 0.9]);
    expect(settlements()).toBe(before + 1);
  });

  describe.each(['the payer comes again', 'the job looks'])('of unknown settlement, when %s,', (how) => {
    const isJob = how === 'the job looks';
    async function unknown(service: Service, call: PaidCall): Promise<Record<string, string>> {
      facilitator.settleWith({ status: 'unknown', reason: 'settlement_pending' });
      facilitator.lookupWith({ status: 'unknown', reason: 'pending' });
      const headers = await paymentFor(service, payer, call);
      const response = await send(service, call, headers);
      expect([codeOf(response), response.headers['retry-after']]).toEqual(['503 SETTLEMENT_PENDING', '2']);
      return headers;
    }
    async function again(
      service: Service,
      call: PaidCall,
      headers: Record<string, string>,
    ): Promise<Response> {
      if (isJob) {
        service.clock.advance(400_000);
        await service.pm.runJobs();
      }
      return send(service, call, headers);
    }

    it('is honoured once it is known to be settled', async () => {
      const service = await start();
      const headers = await unknown(service, DEPOSIT);
      expect(codeOf(await again(service, DEPOSIT, headers))).toBe('503 SETTLEMENT_PENDING');
      expect(await balanceOf(service)).toBe(0);
      facilitator.lookupWith({ status: 'settled', transaction: '0xabc' });
      const answered = await again(service, DEPOSIT, headers);
      expect([answered.status, await balanceOf(service), settlements()]).toEqual([201, 25, 1]);
      expect(codeOf(await send(service, DEPOSIT, headers))).toBe('402 PAYMENT_INVALID');
    });

    it('is rejected once it is known to be lost', async () => {
      const service = await start();
      const headers = await unknown(service, DEPOSIT);
      facilitator.lookupWith({ status: 'invalid', reason: 'cancelled' });
      expect(codeOf(await again(service, DEPOSIT, headers))).toBe('402 PAYMENT_INVALID');
      expect([await statuses(service), await balanceOf(service)]).toEqual([['rejected'], 0]);
    });

    it('is submitted again while it is unused and its window is open, rejected when that is past', async () => {
      const service = await start();
      const headers = await unknown(service, FEED);
      facilitator.lookupWith({ status: 'unused' });
      if (isJob) {
        expect(codeOf(await again(service, FEED, headers))).toBe('503 SETTLEMENT_PENDING');
        service.clock.advance(60_000);
        expect(codeOf(await again(service, FEED, headers))).toBe('402 PAYMENT_INVALID');
        expect(await statuses(service)).toEqual(['rejected']);
        return;
      }
      // A refusal of the second submission does not tell what became of the first submission.
      facilitator.settleWith({ status: 'insufficient_funds' });
      expect(codeOf(await again(service, FEED, headers))).toBe('503 SETTLEMENT_PENDING');
      facilitator.settleWith({ status: 'settled', transaction: '0xdef' });
      expect(codeOf(await again(service, FEED, headers))).toBe('200 ');
      expect(settlements()).toBe(3);
    });
  });

  it('that a stranger submitted counts as ours when it paid us', async () => {
    const service = await start();
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith({ status: 'unknown', reason: 'no chain' });
    const headers = await paymentFor(service, payer, ORACLE);
    expect(codeOf(await send(service, ORACLE, headers))).toBe('503 SETTLEMENT_PENDING');
    // A transfer without a known time may have been for another deployment.
    facilitator.lookupWith({ status: 'settled', transaction: '0xf00' });
    expect(codeOf(await send(service, ORACLE, headers))).toBe('503 SETTLEMENT_PENDING');
    const spentAt = service.clock.now() / 1000;
    facilitator.lookupWith({ status: 'settled', transaction: '0xf00', spentAt });
    expect(codeOf(await send(service, ORACLE, headers))).toBe('200 ');
    expect(settlements()).toBe(0);
    facilitator.lookupWith({ status: 'invalid', reason: 'cancelled' });
    expect(codeOf(await buy(service, payer, ORACLE))).toBe('402 PAYMENT_INVALID');
    facilitator.verifyWith({ status: 'valid' });
    facilitator.settleWith({ status: 'spent', reason: 'front-run' });
    facilitator.lookupWith({ status: 'settled', transaction: '0xf01' });
    expect(codeOf(await buy(service, payer, FEED))).toBe('200 ');
  });

  it('that was spent before it was presented counts for nothing', async () => {
    const service = await start();
    const spentAt = service.clock.now() / 1000 - 1;
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith({ status: 'settled', transaction: '0xf02', spentAt });
    const headers = await paymentFor(service, payer, DEPOSIT);
    expect(codeOf(await send(service, DEPOSIT, headers))).toBe('402 PAYMENT_INVALID');
    expect(codeOf(await send(service, DEPOSIT, headers))).toBe('402 PAYMENT_INVALID');
    expect([await statuses(service), await balanceOf(service)]).toEqual([['rejected'], 0]);
  });

  it('is not given up by a clock that has jumped while the chain says that its window is open', async () => {
    const service = await start();
    facilitator.settleWith({ status: 'unknown', reason: 'no answer' });
    const asOf = service.clock.now() / 1000;
    facilitator.lookupWith({ status: 'unused', asOf });
    const headers = await paymentFor(service, payer, DEPOSIT);
    expect(codeOf(await send(service, DEPOSIT, headers))).toBe('503 SETTLEMENT_PENDING');
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
    expect(await statuses(service)).toEqual(['submitted']);
    facilitator.lookupWith({ status: 'settled', transaction: '0xf03', spentAt: asOf + 2, asOf: asOf + 4 });
    expect(codeOf(await send(service, DEPOSIT, headers))).toBe('201 ');
    expect(await balanceOf(service)).toBe(25);
  });

  describe.each(PAID_CALLS)('for $name', (call) => {
    interface Books {
      settled: number;
      markets: number;
      balance: number;
    }
    async function books(witness: Service): Promise<Books> {
      const settled = facilitator.calls.filter(({ method }) => method === 'settle');
      return {
        // One authorization moves money once, however often it is submitted.
        settled: new Set(settled.map(({ payment }) => payment.authorization.nonce)).size,
        markets: await marketsOf(witness),
        balance: await balanceOf(witness),
      };
    }

    async function lifeWithDeathAt(witness: Service, diesAt: number): Promise<object | null> {
      const self = mortal(diesAt);
      const victim = await start(self);
      // The jobs at the start make transactions too, which must end before the steps of the request are counted.
      await victim.pm.runJobs();
      self.begin();
      const before = await books(witness);
      // The body is fixed, so each repetition of the request has the same bytes.
      const body = call.body?.(witness);
      const request: PaidCall = { ...call, ...(body !== undefined && { body: () => body }) };
      const headers = await paymentFor(witness, payer, request);
      let response = await send(victim, request, headers);
      await forget(victim);
      if (!self.isDead) return null;
      witness.clock.advance(LEASE_MS);
      const successor = await start(mortal(null), inHaste);
      for (let attempt = 0; attempt < 5 && response.status !== call.status; attempt += 1) {
        response = await send(successor, request, headers);
        if (response.status === 503) await successor.pm.runJobs();
        else break;
      }
      await forget(successor);
      const after = await books(witness);
      return {
        at: self.steps.at(-1),
        answer: codeOf(response),
        settled: after.settled - before.settled,
        markets: after.markets - before.markets,
        balance: after.balance - before.balance,
      };
    }

    it('survives a death at every step: its request gets its answer, and one transfer is made', async () => {
      const witness = await start();
      await witness.approve(payer);
      const wanted = ['before settle', 'after settle', 'after verify'];
      const deaths: string[] = [];
      for (let diesAt = 1; diesAt < 30; diesAt += 1) {
        const outcome = await lifeWithDeathAt(witness, diesAt);
        if (outcome === null) break;
        const { at } = outcome as { at: string };
        deaths.push(at);
        expect(outcome).toEqual({
          at,
          answer: `${call.status} `,
          settled: 1,
          markets: Number(call === MARKETS),
          balance: call === DEPOSIT ? 25 : 0,
        });
      }
      expect(deaths).toEqual(expect.arrayContaining(wanted));
      expect(deaths.length).toBeGreaterThanOrEqual(10);
      expect(await witness.pm.audit()).toMatchObject({ ok: true });
    }, 240_000);
  });
});
