import type { Response } from 'supertest';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { realTimers } from '../../src/ports/timers';
import { LEASE_RENEWAL_MS } from '../../src/usecases/payments/payment-lease';
import { wallet, OPS, type Service } from '../http/support/service';
import { describeWith } from '../support/optional';
import { DEPOSIT, FEED, MARKETS, ORACLE, paymentFor, send, type PaidCall } from '../x402/support/calls';
import { until } from '../support/until';
import { lostCommitsWorld } from './lost-commits-world';

const LEASE_MS = 6_000;
const { after } = realTimers;
/** Leases are not renewed, because the test counts COMMITs and a renewal would be one COMMIT more. */
const withoutRenewals: typeof after = (milliseconds, callback) =>
  milliseconds === LEASE_RENEWAL_MS ? () => undefined : after(milliseconds, callback);
const PAYMENTS = /(INSERT INTO|UPDATE|DELETE FROM) \S*payments\b/;
/** The COMMITs of a payment by number: 1 claimed, 2 submitted, 3 answered, 4 delivered. */
const COMMITS = [1, 2, 3, 4];
const CALLS = [MARKETS, DEPOSIT, FEED, ORACLE];

describeWith('postgres', 'a payment, when the answer to a COMMIT is lost,', () => {
  let facilitator: FakeFacilitator;
  const world = lostCommitsWorld(() => ({ facilitator: (facilitator = fakeFacilitator()) }));
  let service: Service;
  let payers = 900;
  beforeEach(() => {
    service = world.service();
    jest.spyOn(realTimers, 'after').mockImplementation(withoutRenewals);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  interface Purchase {
    call: PaidCall;
    payer: string;
    headers: Record<string, string>;
    before: Books;
  }
  interface Books {
    settled: number;
    markets: number;
    balance: number;
  }

  async function booksOf(payer: string): Promise<Books> {
    const settled = facilitator.calls.filter(({ method }) => method === 'settle');
    return {
      settled: new Set(settled.map(({ payment }) => payment.authorization.nonce)).size,
      markets: (await service.pm.listMarkets()).total,
      balance: (await service.pm.getAccount({ address: payer })).balance,
    };
  }

  async function purchase(call: PaidCall): Promise<Purchase> {
    const payer = wallet((payers += 1));
    await service.approve(payer);
    const body = call.body?.(service);
    const repeatable: PaidCall = { ...call, ...(body !== undefined && { body: () => body }) };
    const headers = await paymentFor(service, payer, repeatable);
    return { call: repeatable, payer: payer.address, headers, before: await booksOf(payer.address) };
  }

  async function repeatUntilAnswered({ call, headers }: Purchase, first: Response): Promise<Response> {
    let answer = first;
    for (let attempt = 0; attempt < 4 && answer.status === 503; attempt += 1) {
      service.clock.advance(LEASE_MS);
      answer = await send(service, call, headers);
    }
    return answer;
  }

  async function checkPurchase({ call, payer, headers, before }: Purchase, answer: Response): Promise<void> {
    expect([answer.status, answer.text]).toEqual([call.status, answer.text]);
    expect(answer.headers).toHaveProperty('x-payment-response');
    const after = await booksOf(payer);
    expect({ ...after, settled: after.settled - before.settled }).toEqual({
      settled: 1,
      markets: before.markets + Number(call.name === MARKETS.name),
      balance: call.name === DEPOSIT.name ? 25 : 0,
    });
    await until(async () => (await statusOf(payer)) !== 'settled');
    expect(await statusOf(payer)).toBe('delivered');
    expect((await send(service, call, headers)).status).toBe(402);
    expect(await service.pm.audit()).toMatchObject({ ok: true, differences: [] });
  }

  async function statusOf(payer: string): Promise<string | undefined> {
    const response = await service.call('get', `${OPS}/payments?limit=100`);
    const { payments } = response.body as { payments: { payer: string; status: string }[] };
    return payments.find((payment) => payment.payer === payer)?.status;
  }

  describe.each(CALLS)('for $name', (call) => {
    it.each(COMMITS)('is charged once, run once and answered, at COMMIT number %i', async (number) => {
      const bought = await purchase(call);
      world.proxy().loseCommit({ number, touching: PAYMENTS });
      const first = await send(service, bought.call, bought.headers);
      await until(() => world.proxy().hasLost());
      world.proxy().endFault();
      // COMMIT 3 stores the answer, so the payer gets the answer without repeating the request.
      if (number >= 3) expect(first.status).toBe(call.status);
      await checkPurchase(bought, await repeatUntilAnswered(bought, first));
    });
  });

  // The COMMITs of such a payment by number: 1 claimed, 2 submitted, 3 waiting, 4 taken over, 5 answered.
  it.each([3, 4, 5])(
    'of unknown settlement is charged once, run once and answered, at COMMIT number %i',
    async (number) => {
      facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
      facilitator.lookupWith({ status: 'unknown', reason: 'pending' });
      const bought = await purchase(MARKETS);
      world.proxy().loseCommit({ number, touching: PAYMENTS });
      const first = await send(service, bought.call, bought.headers);
      expect(first.body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
      facilitator.lookupWith({ status: 'settled', transaction: `0x${'ab'.repeat(32)}` });
      const answer = await repeatUntilAnswered(bought, first);
      expect(world.proxy().endFault()).toBe(true);
      await checkPurchase(bought, answer);
    },
  );
});
