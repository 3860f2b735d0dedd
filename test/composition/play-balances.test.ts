import { developmentTransaction } from '../../src/crypto/play-money';
import type { Facilitator } from '../../src/ports/facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { API, wallet, type Service } from '../http/support/service';
import { FEED, ORACLE, paymentFor, send } from '../x402/support/calls';
import { depositOf, moneyInstances, play, playFacilitator, real, withdraw } from './support/money-instances';

const POLL_MS = 5_000;
const { storage, start, refusal, payments } = moneyInstances();

/** This set-up has no payout, and its development facilitator claims to move real money. */
const testSetUp = () => ({ facilitator: { ...playFacilitator(), playMoney: false }, payout: undefined });

async function poll(service: Service, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes * 60_000; passed += POLL_MS) {
    service.clock.advance(POLL_MS);
    await service.pm.runJobs();
  }
}

async function paying() {
  const { facilitator, payout } = real();
  const service = await start({ facilitator, payout });
  await service.pm.deposit({ address: wallet(3).address, amount: 50, reference: 'by bank' });
  return { service, payout };
}

describe('a withdrawal that was asked for before', () => {
  it('waits, the payout is not asked, and the log says why once in some minutes', async () => {
    const { service, payout } = await paying();
    expect(await withdraw(service, 3)).toBe(202);
    expect((await depositOf(await start(testSetUp()), 4)).status).toBe(201);
    await poll(service, 16);
    expect([payout.orders, payout.submitted]).toEqual([[], []]);
    const lines = [...service.errors, ...service.warnings].filter(({ message }) => message !== 'alarm');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(8);
    expect(service.pm.alarms()).toMatchObject([{ name: 'waiting', subject: 'withdrawal 1' }]);
  });

  it('gets its turn on an instance that may pay it', async () => {
    const { service } = await paying();
    const payout = { ...fakePayout(), playMoney: undefined };
    const silent = await start({ facilitator: { ...playFacilitator(), playMoney: undefined }, payout });
    expect((await depositOf(silent, 4)).status).toBe(201);
    expect(await withdraw(silent, 4)).toBe(202);
    for (let polls = 0; polls < 40; polls += 1) {
      for (const { clock, pm } of [service, silent]) {
        clock.advance(POLL_MS);
        await pm.runJobs();
      }
    }
    expect(payout.submitted).toHaveLength(1);
  });

  it('gets its answer again when the request is repeated', async () => {
    const { service } = await paying();
    const key = await service.issueKey(wallet(3));
    const ask = () =>
      service.call('post', `${API}/public/withdrawals`, {
        ...{ key, headers: { 'Idempotency-Key': 'one' }, body: { amount: 20 } },
      });
    const first = await ask();
    expect((await depositOf(await start(testSetUp()), 4)).status).toBe(201);
    const repeated = await ask();
    expect(repeated.body).toEqual(first.body);
  });
});

it('a deposit of play money is rejected where real payments came in, so payouts go on', async () => {
  const { service, payout } = await paying();
  expect((await depositOf(service, 1)).status).toBe(201);
  const tool = await start(testSetUp());
  const refused = await depositOf(tool, 4);
  expect([refused.status, refused.body.code]).toEqual([402, 'PAYMENT_INVALID']);
  expect(tool.errors.map(({ message }) => message)).toContain(
    'a payment was settled in play money, and the books hold real money',
  );
  expect((await service.pm.getBalance({ wallet: wallet(4).address })).available).toBe(0);
  expect(await withdraw(service, 3)).toBe(202);
  await poll(service, 1);
  expect(payout.submitted).toHaveLength(1);
  expect(await refusal(real())).toBe('started');
});

it('any payment of play money is rejected there, so the newest payments always show that real ones came in', async () => {
  const { service } = await paying();
  expect((await depositOf(service, 1)).status).toBe(201);
  const tool = await start(testSetUp());
  const refused = await send(tool, FEED, await paymentFor(tool, wallet(4), FEED));
  expect([refused.status, refused.body.code]).toEqual([402, 'PAYMENT_INVALID']);
});

it('a payment of play money for a call that credits no wallet stops no payout, and no start', async () => {
  const { service, payout } = await paying();
  const tool = await start(testSetUp());
  expect((await send(tool, FEED, await paymentFor(tool, wallet(4), FEED))).status).toBe(200);
  expect(await withdraw(service, 3)).toBe(202);
  await poll(service, 1);
  expect(payout.submitted).toHaveLength(1);
  expect(await refusal(real())).toBe('started');
  const { facilitator, payout: silent } = real();
  const unknown = {
    facilitator: { ...facilitator, playMoney: undefined },
    payout: { ...silent, playMoney: undefined },
  };
  expect(await refusal(unknown)).toBe('started');
});

it('a payment that an operator has confirmed does not count as a real one, so a test set-up goes on', async () => {
  let isAway = true;
  const { facilitator } = testSetUp();
  const unknown = { status: 'unknown', reason: 'no answer' } as const;
  const settle: Facilitator['settle'] = async (...asked) => (isAway ? unknown : facilitator.settle(...asked));
  const tool = await start({ facilitator: { ...facilitator, settle }, payout: undefined });
  expect((await depositOf(tool, 4)).status).toBe(503);
  const [payment] = await payments();
  await tool.pm.confirmPayment({
    id: payment?.id ?? 0,
    transaction: `0x${'ab'.repeat(32)}`,
    reason: 'A drill.',
  });
  isAway = false;
  expect((await depositOf(tool, 5)).status).toBe(201);
});

it('play money is recognised by a hash in upper case', async () => {
  const { payout } = real();
  const facilitator: Facilitator = {
    ...testSetUp().facilitator,
    async settle(payment, requirements) {
      const settled = await playFacilitator().settle(payment, requirements);
      if (settled.status !== 'settled' || settled.transaction === null) throw new Error('not settled');
      return { ...settled, transaction: `0x${settled.transaction.slice(2).toUpperCase()}` };
    },
  };
  expect((await depositOf(await start({ facilitator, payout }), 4)).status).toBe(402);
});

it('books of other money are named in the log once in some minutes', async () => {
  const theirs = await start(play());
  expect((await depositOf(await start(real()), 1)).status).toBe(201);
  for (let polls = 0; polls < 120; polls += 1) {
    theirs.clock.advance(POLL_MS);
    await theirs.pm.runJobs().catch(() => undefined);
  }
  const lines = theirs.errors.filter(({ message }) => message.startsWith('the books hold other money'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(4);
});

it('an instance of unknown money does not ask the oracle for a payment of play money that an earlier release has settled', async () => {
  const unknown = async () => ({ status: 'unknown', reason: 'no answer' }) as const;
  const facilitator = { ...fakeFacilitator(), playMoney: undefined, settle: unknown, lookup: unknown };
  const silent = { facilitator, payout: undefined };
  const earlier = await start(silent);
  expect((await send(earlier, ORACLE, await paymentFor(earlier, wallet(4), ORACLE))).status).toBe(503);
  const [payment] = await payments();
  if (payment === undefined) throw new Error('no payment');
  const transaction = developmentTransaction(payment);
  const settled = {
    ...payment,
    status: 'settled',
    transaction,
    answer: null,
    leaseUntil: 0,
    dueAt: 1,
  } as const;
  await storage().transaction(({ payments: rows }) => rows.update(settled));
  await earlier.close();
  expect((await depositOf(await start(real()), 1)).status).toBe(201);
  const ask = jest.fn(() => Promise.reject(new Error('not asked')));
  const later = await start({ ...silent, oracle: { name: 'counting', ask } });
  await poll(later, 30);
  expect(ask).not.toHaveBeenCalled();
  expect((await payments()).find(({ id }) => id === payment.id)).toMatchObject({
    status: 'settled',
    answer: null,
  });
});
