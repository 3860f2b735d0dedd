/** Payments and withdrawals in other money than an instance moves: it neither takes them nor keeps them from others. */
import { developmentPayout } from '../../adapters/payout/development';
import type { Facilitator, LookupResult } from '../../src/ports/facilitator';
import { createTestMarket } from '../../testing/create-test-market';
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
  realFacilitator,
  slowToVerify,
  withdraw,
} from './support/money-instances';

const REAL_MONEY = 'eip155:8453 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const TRANSFER: LookupResult = {
  status: 'settled',
  transaction: `0x${'ef'.repeat(32)}`,
  spentAt: 4_000_000_000,
};
const POLL_MS = 5_000;

const { storage, renewStorage, start, refusal, payments } = moneyInstances();
const storedMoney = () => storage().read(({ settings }) => settings.get('money'));

describe('an open payment of real money', () => {
  /** An instance of real money that has submitted a payment, and may look it up from now on. */
  async function submitted(options: object): Promise<Service> {
    let isKnown = false;
    const facilitator: Facilitator = {
      ...realFacilitator(),
      settle: async () => ({ status: 'unknown', reason: 'no answer' }),
      lookup: async () => (isKnown ? TRANSFER : { status: 'unknown', reason: 'no answer' }),
    };
    const service = await start({ ...options, facilitator });
    expect((await depositOf(service, 4)).status).toBe(503);
    isKnown = true;
    return service;
  }

  const stateOf = async (payer: number) =>
    (await payments()).find((payment) => payment.payer === wallet(payer).address.toLowerCase())?.status;

  /** Both instances look for due payments, and the one of play money always comes first. */
  async function pollBoth(theirs: Service, ours: Service): Promise<void> {
    for (let poll = 0; poll < 12; poll += 1) {
      for (const service of [theirs, ours]) {
        service.clock.advance(POLL_MS);
        await service.pm.runJobs();
      }
    }
  }

  it('is continued within a minute, though an instance of play money always looks first', async () => {
    const theirs = await start({ facilitator: playFacilitator(), payout: undefined });
    const ours = await submitted({ payout: undefined });
    await pollBoth(theirs, ours);
    expect(await stateOf(4)).toBe('settled');
  });

  it('is continued so in books of play money too', async () => {
    const theirs = await start(play());
    expect((await depositOf(theirs, 5)).status).toBe(201);
    const ours = await submitted({ payout: undefined });
    await pollBoth(theirs, ours);
    expect(await stateOf(4)).toBe('settled');
  });
});

describe('the claim of an instance that lost the race for the first payment', () => {
  it('is dropped at once, and its payer hears that nothing was charged', async () => {
    const gate = createGate();
    const loser = await start({
      facilitator: slowToVerify(playFacilitator(), gate),
      payout: developmentPayout(),
    });
    const late = depositOf(loser, 4);
    await until(async () => (await payments()).length === 1);
    expect((await depositOf(await start(real()), 1)).status).toBe(201);
    gate.open();
    expect((await late).body.code).toBe('SERVICE_UNAVAILABLE');
    expect((await payments()).map(({ status }) => status)).toEqual(['delivered']);
  });
});

it('a claim that an instance of other money has left behind ends an hour after its authorization', async () => {
  const gate = createGate();
  const { facilitator, payout } = play();
  const dying = await start({ facilitator: slowToVerify(facilitator, gate), payout });
  const pending = depositOf(dying, 4);
  await until(async () => (await payments()).length === 1);
  const [{ id: _id, ...claim }] = (await payments()) as [Awaited<ReturnType<typeof payments>>[0]];
  gate.open();
  await pending;
  // Another database, in which only the claim of the dead process is left.
  await renewStorage();
  await storage().transaction((transaction) => transaction.payments.insert(claim));
  const ours = await start(real());
  const after = async (ms: number) => {
    ours.clock.advance(ms);
    await ours.pm.runJobs();
    return (await payments()).length;
  };
  expect(await after(30 * 60_000)).toBe(1);
  expect(await after(3 * 3_600_000)).toBe(0);
});

describe('a payment that another sender has submitted', () => {
  const spent = (playMoney: boolean) => {
    const fake = fakeFacilitator();
    fake.verifyWith({ status: 'spent', reason: 'used' });
    fake.lookupWith(TRANSFER);
    return { ...fake, playMoney };
  };

  it('stores the kind of money, so another token is refused later', async () => {
    const ours = await start({ ...real(), facilitator: spent(false) });
    expect((await depositOf(ours, 1)).status).toBe(201);
    expect(await storedMoney()).toBe(REAL_MONEY);
    expect(await refusal({ ...real(), asset: `0x${'12'.repeat(20)}` })).toMatchObject({
      code: 'OTHER_MONEY_IN_BOOKS',
    });
  });

  it('does not keep a chain of test money from starting again', async () => {
    const ours = await start({ facilitator: spent(true), payout: { ...fakePayout(), playMoney: true } });
    expect((await depositOf(ours, 1)).status).toBe(201);
    expect(await refusal({ facilitator: spent(true), payout: developmentPayout() })).toBe('started');
  });

  it('is not credited in books that took play money meanwhile', async () => {
    const gate = createGate();
    const ours = await start({ ...real(), facilitator: slowToVerify(spent(false), gate) });
    const theirs = await start(play());
    const late = depositOf(ours, 1);
    await until(async () => (await payments()).length === 1);
    expect((await depositOf(theirs, 4)).status).toBe(201);
    gate.open();
    expect((await late).body.code).toBe('SETTLEMENT_PENDING');
    // The money has arrived, so the payment is kept as settled. No balance of play money was made of it.
    expect((await payments()).map(({ status }) => status).sort()).toEqual(['delivered', 'settled']);
    expect((await theirs.pm.getBalance({ wallet: wallet(1).address })).available).toBe(0);
  });
});

describe('a development facilitator that is wrapped without playMoney, beside a payout of real money', () => {
  const wrapped = (): Facilitator => {
    const inner = playFacilitator();
    return { ...inner, name: 'wrapped', playMoney: undefined } as unknown as Facilitator;
  };

  it('is named in the log, gets no call paid in play money, and does not start again', async () => {
    const ours = await start({ ...real(), facilitator: wrapped() });
    expect(ours.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('the facilitator does not say whether its money is too'),
    );
    expect((await depositOf(ours, 1)).body.code).toBe('SETTLEMENT_PENDING');
    expect((await ours.pm.getBalance({ wallet: wallet(1).address })).available).toBe(0);
    expect(await refusal({ ...real(), facilitator: wrapped() })).toMatchObject({
      code: 'PLAY_MONEY_IN_BOOKS',
    });
  });
});

describe('a withdrawal that was sent a minute ago', () => {
  async function send(): Promise<void> {
    const { facilitator, payout } = real();
    payout.progressWith({ status: 'pending' });
    const ours = await start({ facilitator, payout });
    await ours.pm.deposit({ address: wallet(3).address, amount: 50, reference: 'by bank' });
    expect(await withdraw(ours, 3)).toBe(202);
    ours.clock.advance(60_000);
    await ours.pm.runJobs();
    expect(payout.submitted).not.toEqual([]);
  }

  it.each([
    ['has no payout', () => ({ ...real(), payout: undefined }), 'WITHDRAWAL_UNDER_WAY'],
    ['moves play money', play, 'SERVICE_UNAVAILABLE'],
  ])('cannot be failed on an instance that %s', async (_name, options, code) => {
    const theirs = await start(options());
    await send();
    const failing = theirs.pm.failWithdrawal({ id: 1, reason: 'It has not arrived.' });
    await expect(failing).rejects.toMatchObject({ code });
  });
});

describe('the fakes of the kit', () => {
  it('go with an adapter that says that its money is real', async () => {
    const test = await createTestMarket({ facilitator: realFacilitator(), payout: fakePayout() });
    await test.close();
  });

  it.each([
    ['a text', { playMoney: 'false' }],
    ['a number', { playMoney: 0 }],
  ])('%s is no kind of money', async (_name, stated) => {
    const facilitator = { ...fakeFacilitator(), ...stated } as unknown as Facilitator;
    await expect(createTestMarket({ facilitator })).rejects.toThrow(
      'createPredictionMarket: facilitator.playMoney: expected true or false',
    );
  });

  it('null is a kind of money that is not known', async () => {
    const payout = { ...fakePayout(), playMoney: null } as never;
    const test = await createTestMarket({ facilitator: realFacilitator(), payout });
    await test.close();
  });
});
