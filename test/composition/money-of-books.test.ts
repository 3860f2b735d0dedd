import { developmentFacilitator } from '../../adapters/facilitator/development';
import { developmentPayout } from '../../adapters/payout/development';
import { developmentTransaction } from '../../src/crypto/play-money';
import type { Facilitator } from '../../src/ports/facilitator';
import { silentLogger } from '../../src/ports/logger';
import type { NewPayment } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { wallet, type Service } from '../http/support/service';
import { createGate } from '../support/gate';
import { until } from '../support/until';
import {
  depositOf,
  moneyInstances,
  play,
  playFacilitator,
  real,
  slowToVerify,
  withdraw,
} from './support/money-instances';

const silentPayout = () => ({ ...fakePayout(), playMoney: undefined });
const unknown = () => ({
  facilitator: { ...fakeFacilitator(), playMoney: undefined },
  payout: silentPayout(),
});

const { storage, start, refusal, payments } = moneyInstances();
const deposit = async (service: Service, payer: number): Promise<number> =>
  (await depositOf(service, payer)).status;

/** Runs the jobs. The job of withdrawals may fail, because the books may hold other money than the instance. */
async function work(service: Service): Promise<void> {
  for (let run = 0; run < 3; run += 1) {
    service.clock.advance(60_000);
    await service.pm.runJobs().catch(() => undefined);
  }
}

describe('books of real money', () => {
  beforeEach(async () => {
    const service = await start(real());
    expect(await deposit(service, 1)).toBe(201);
  });

  it.each([
    ['play money', play, 'play money'],
    ['another network', () => ({ ...real(), network: 'eip155:84532' }), 'eip155:84532'],
    ['another token', () => ({ ...real(), asset: `0x${'12'.repeat(20)}` }), '0x1212'],
  ])('do not open with %s', async (_money, options, own) => {
    expect(await refusal(options())).toMatchObject({
      name: 'PaymentSetUpError',
      code: 'OTHER_MONEY_IN_BOOKS',
      found: expect.stringMatching(/^eip155:8453 0x/),
      message: expect.stringContaining(own),
    });
  });

  it.each([
    ['the same money', real],
    ['adapters that do not say whether their money is real', unknown],
  ])('open with %s', async (_money, options) => {
    expect(await deposit(await start(options()), 2)).toBe(201);
  });
});

it('a withdrawal alone stores the kind of money too', async () => {
  const { facilitator, payout } = real();
  const service = await start({ facilitator, payout });
  await service.pm.deposit({ address: wallet(3).address, amount: 50, reference: 'by bank' });
  expect(await withdraw(service, 3)).toBe(202);
  expect(await refusal(play())).toMatchObject({ code: 'OTHER_MONEY_IN_BOOKS' });
});

it('two instances with different money on an empty database: the second kind of money is refused', async () => {
  const ours = await start(real());
  const theirs = await start(play());
  expect(await deposit(ours, 1)).toBe(201);
  expect(await deposit(theirs, 4)).toBe(503);
});

it('play money that an instance took first is never paid out by an instance of real money', async () => {
  const { facilitator, payout } = real();
  const ours = await start({ facilitator, payout });
  const theirs = await start(play());
  expect(await deposit(theirs, 4)).toBe(201);
  expect(await withdraw(theirs, 4)).toBe(202);
  await work(ours);
  expect(payout.submitted).toEqual([]);
});

it('two first payments at once, in different money: the second one is not submitted', async () => {
  const gate = createGate();
  const theirFacilitator = slowToVerify(fakeFacilitator(), gate);
  const theirs = await start({ facilitator: theirFacilitator, payout: developmentPayout() });
  const ours = await start(real());
  const late = deposit(theirs, 4);
  await until(async () => (await payments()).length === 1);
  expect(await deposit(ours, 1)).toBe(201);
  gate.open();
  expect(await late).toBe(503);
  expect(theirFacilitator.calls.map(({ method }) => method)).toEqual(['verify']);
});

it('a payment that the facilitator refuses does not decide the kind of money', async () => {
  const facilitator = developmentFacilitator({ startingBalance: 0n, warn: () => undefined });
  expect(await deposit(await start({ facilitator, payout: developmentPayout() }), 4)).toBe(402);
  expect(await deposit(await start(real()), 1)).toBe(201);
});

it('play money that comes in through an adapter that does not say so is no balance in books of real money', async () => {
  const paying = await start(real());
  expect(await deposit(paying, 1)).toBe(201);
  const silent = { ...playFacilitator(), playMoney: undefined };
  const tool = await start({ facilitator: silent, payout: undefined });
  expect(await deposit(tool, 4)).toBe(402);
  expect((await paying.pm.getBalance({ wallet: wallet(4).address })).available).toBe(0);
  expect(await refusal(real())).toBe('started');
});

it('play money that comes in first through such an adapter is not paid out by an instance of real money', async () => {
  const silent = { ...playFacilitator(), playMoney: undefined };
  const [tool, paying] = [await start({ facilitator: silent, payout: undefined }), await start(real())];
  expect(await deposit(tool, 4)).toBe(201);
  expect(await withdraw(paying, 4)).toBe(503);
});

describe('a facilitator of real money with the development facilitator at its other end', () => {
  const atTheOtherEnd = () => ({ ...playFacilitator(), playMoney: false });

  it('works without a payout, also after a restart', async () => {
    const first = await start({ facilitator: atTheOtherEnd(), payout: undefined });
    expect(await deposit(first, 4)).toBe(201);
    await first.close();
    expect(await deposit(await start({ facilitator: atTheOtherEnd(), payout: undefined }), 5)).toBe(201);
  });

  it('makes no balance that another instance pays out in real money, or that a later payout pays out', async () => {
    const paying = await start(real());
    const withoutPayout = await start({ facilitator: atTheOtherEnd(), payout: undefined });
    for (let payer = 4; payer < 14; payer += 1) expect(await deposit(withoutPayout, payer)).toBe(201);
    expect(await withdraw(paying, 4)).toBe(503);
    expect(await deposit(paying, 1)).toBe(201);
    expect(await withdraw(paying, 4)).toBe(503);
    expect(await deposit(withoutPayout, 14)).toBe(402);
    expect(await refusal(real())).toMatchObject({ code: 'PLAY_MONEY_IN_BOOKS' });
  });
});

describe('play money through adapters that say nothing', () => {
  const silent = () => ({
    facilitator: { ...playFacilitator(), playMoney: undefined },
    payout: silentPayout(),
  });

  it('is answered, and is not paid out by an instance of real money', async () => {
    const paying = await start(real());
    expect(await deposit(await start(silent()), 4)).toBe(201);
    expect(await withdraw(paying, 4)).toBe(503);
  });

  it('is not paid out by a payout that says nothing, once another kind of money is stored', async () => {
    const facilitator = { ...real().facilitator, playMoney: undefined };
    const paying = await start({ facilitator, payout: silentPayout() });
    const withoutPayout = await start({ facilitator: real().facilitator, payout: undefined });
    const atTheOtherEnd = { ...playFacilitator(), playMoney: false };
    expect(await deposit(await start({ facilitator: atTheOtherEnd, payout: undefined }), 4)).toBe(201);
    expect(await deposit(withoutPayout, 1)).toBe(201);
    expect(await withdraw(paying, 4)).toBe(503);
  });

  it('keeps no real payer from an answer', async () => {
    let isKnown = false;
    const transaction = `0x${'ef'.repeat(32)}`;
    const facilitator: Facilitator = {
      ...real().facilitator,
      settle: async () => ({ status: 'unknown', reason: 'no answer' }),
      lookup: async () =>
        isKnown
          ? { status: 'settled', transaction, spentAt: 4_000_000_000 }
          : { status: 'unknown', reason: 'no answer' },
    };
    const paying = await start({ ...real(), facilitator });
    expect(await deposit(paying, 1)).toBe(503);
    const tool = await start({ facilitator: { ...playFacilitator(), playMoney: false }, payout: undefined });
    expect(await deposit(tool, 4)).toBe(201);
    isKnown = true;
    await work(paying);
    expect((await paying.pm.getBalance({ wallet: wallet(1).address })).available).toBe(25);
  });
});

describe('an open payment', () => {
  async function leaveOpen(options: { facilitator: Facilitator }): Promise<Service> {
    const settle = () => Promise.resolve({ status: 'unknown', reason: 'no answer' } as const);
    const lookup = () => Promise.resolve({ status: 'unknown', reason: 'no answer' } as const);
    const service = await start({ ...options, facilitator: { ...options.facilitator, settle, lookup } });
    expect(await deposit(service, 4)).toBe(503);
    return service;
  }

  async function statusAfterWorkOf(service: Service): Promise<string | undefined> {
    await work(service);
    const [payment] = await payments();
    return payment?.status;
  }

  it('of play money is not charged by a facilitator of real money', async () => {
    await leaveOpen(play());
    const { facilitator } = real();
    const later = await start({ facilitator, payout: undefined });
    expect(await statusAfterWorkOf(later)).toBe('submitted');
    expect(facilitator.calls).toEqual([]);
  });

  it('of play money is not charged by a facilitator that does not say whether its money is real', async () => {
    await leaveOpen(play());
    const { facilitator } = unknown();
    const later = await start({ facilitator, payout: undefined });
    expect(await statusAfterWorkOf(later)).toBe('submitted');
    expect(facilitator.calls).toEqual([]);
  });

  it('of real money is not settled in play money by an instance that started before it', async () => {
    const theirs = await start(play());
    await leaveOpen(real());
    expect(await statusAfterWorkOf(theirs)).toBe('submitted');
  });

  it('is continued by an instance with the same money', async () => {
    await leaveOpen(real());
    expect(await statusAfterWorkOf(await start(real()))).toBe('settled');
  });
});

it('a payout of play money confirms no withdrawal that another payout has sent', async () => {
  const theirs = await start(play());
  const { facilitator, payout } = real();
  const ours = await start({ facilitator, payout });
  await ours.pm.deposit({ address: wallet(3).address, amount: 50, reference: 'by bank' });
  payout.progressWith({ status: 'pending' });
  expect(await withdraw(ours, 3)).toBe(202);
  await work(ours);
  await ours.close();
  await work(theirs);
  const [withdrawal] = await storage().read(({ withdrawals }) =>
    withdrawals.listOpen({ status: 'sent', afterId: 0, limit: 10 }),
  );
  expect(withdrawal?.status).toBe('sent');
});

describe('adapters that do not say whether their money is real', () => {
  it('pay out no books of play money', async () => {
    expect(await deposit(await start(play()), 4)).toBe(201);
    expect(await refusal(unknown())).toMatchObject({ code: 'PLAY_MONEY_IN_BOOKS' });
  });

  it('stop to pay out when another instance has taken play money', async () => {
    const adapters = unknown();
    const ours = await start(adapters);
    const theirs = await start(play());
    expect(await deposit(theirs, 4)).toBe(201);
    expect(await withdraw(theirs, 4)).toBe(202);
    await work(ours);
    expect(adapters.payout.submitted).toEqual([]);
  });

  it('are named in the log, when the payments are play money and the payout says nothing', async () => {
    const warned: unknown[] = [];
    const logger = {
      ...silentLogger,
      warn: (_fields: unknown, message: string) => void warned.push(message),
    };
    await start({ facilitator: play().facilitator, payout: silentPayout(), logger });
    expect(warned).toContainEqual(expect.stringContaining('any payer can empty the treasury'));
  });
});

describe('books of an earlier release, which did not store the kind of money', () => {
  async function insert(count: number, isPlay: boolean): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const key = {
        asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        payer: `0x${'ab'.repeat(20)}`,
        nonce: `0x${(index + (isPlay ? 0 : 1_000)).toString(16).padStart(64, '0')}`,
      } as const;
      const transaction = isPlay ? developmentTransaction(key) : `0x${'cd'.repeat(32)}`;
      const rest = { status: 'delivered', amount: 1_000n, operation: 'feed', fingerprint: 'f' } as const;
      const times = { createdAt: 1, updatedAt: 1, leaseUntil: 0, leaseToken: 1, dueAt: null, attempts: 0 };
      const texts = { payment: '{}', command: '{}', answer: null, reason: null, decision: null };
      const payment: NewPayment = { ...key, ...rest, ...times, ...texts, transaction };
      await storage().transaction(({ payments }) => payments.insert(payment));
    }
  }

  it('do not open with play money when a real payment came in', async () => {
    await insert(1, false);
    expect(await refusal(play())).toMatchObject({
      code: 'OTHER_MONEY_IN_BOOKS',
      found: expect.stringMatching(/^the payment \d+$/),
    });
  });

  it('do not open with a payout of real money when play money came in', async () => {
    await insert(1, true);
    expect(await refusal(real())).toMatchObject({ code: 'PLAY_MONEY_IN_BOOKS' });
  });

  describe('with a payment of play money whose call has not run', () => {
    /** The payment is stored as an earlier release left it: settled, but without an answer. */
    beforeEach(async () => {
      const unknown = async () => ({ status: 'unknown', reason: 'no answer' }) as const;
      const facilitator = { ...fakeFacilitator(), settle: unknown, lookup: unknown };
      const earlier = await start({ facilitator, payout: undefined });
      expect(await deposit(earlier, 4)).toBe(503);
      const [payment] = await payments();
      if (payment === undefined) throw new Error('no payment');
      const transaction = developmentTransaction(payment);
      const settled = { ...payment, status: 'settled', transaction, leaseUntil: 0, dueAt: 1 } as const;
      await storage().transaction(({ payments: rows }) => rows.update(settled));
      await earlier.close();
    });

    it('do not open with a payout that does not say whether its money is real', async () => {
      expect(await refusal(unknown())).toMatchObject({ code: 'PLAY_MONEY_IN_BOOKS' });
    });

    it('open with a payout of real money, which makes no balance of the payment', async () => {
      const ours = await start(real());
      await work(ours);
      const [payment] = await payments();
      expect(payment).toMatchObject({
        status: 'settled',
        answer: null,
        reason: 'it was settled in play money',
      });
      expect((await ours.pm.getBalance({ wallet: wallet(4).address })).available).toBe(0);
    });

    it('make no balance of it on an instance of real money without a payout, beside one that pays out', async () => {
      const paying = await start(real());
      const { facilitator } = real();
      const withoutPayout = await start({ facilitator, payout: undefined });
      await work(withoutPayout);
      expect((await payments())[0]).toMatchObject({ status: 'settled', answer: null });
      expect((await paying.pm.getBalance({ wallet: wallet(4).address })).available).toBe(0);
      expect(await refusal(real())).toBe('started');
    });
  });

  it('open with play money when play money came in', async () => {
    await insert(1, true);
    expect(await deposit(await start(play()), 5)).toBe(201);
  });
});

it('later real payments do not hide that the books began with play money', async () => {
  expect(await deposit(await start(play()), 6)).toBe(201);
  const { facilitator } = real();
  const withoutPayout = await start({ facilitator, payout: undefined });
  expect(await deposit(withoutPayout, 7)).toBe(201);
  expect(await refusal(real())).toMatchObject({ code: 'PLAY_MONEY_IN_BOOKS' });
});
