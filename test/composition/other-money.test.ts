import { developmentPayout } from '../../adapters/payout/development';
import type { Facilitator, LookupResult } from '../../src/ports/facilitator';
import { createTestMarket } from '../../testing/create-test-market';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { wallet, type Service } from '../http/support/service';
import { createGate } from '../support/gate';
import { until } from '../support/until';
import { DEPOSIT, ORACLE, paymentFor, send } from '../x402/support/calls';
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

const availableOf = async (service: Service, payer: number) =>
  (await service.pm.getBalance({ wallet: wallet(payer).address })).available;

async function pollFor(service: Service, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += POLL_MS) {
    service.clock.advance(POLL_MS);
    await service.pm.runJobs().catch(() => undefined);
  }
}

function spent(playMoney: boolean) {
  const fake = fakeFacilitator();
  fake.verifyWith({ status: 'spent', reason: 'used' });
  fake.lookupWith(TRANSFER);
  return { ...fake, playMoney };
}

describe('an open payment of real money', () => {
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

  it('is not lost for its payer, who asks an instance of play money', async () => {
    const theirs = await start(play());
    const unknown = async () => ({ status: 'unknown', reason: 'no answer' }) as const;
    const ours = await start({
      ...real(),
      facilitator: { ...realFacilitator(), settle: unknown, lookup: unknown },
    });
    const headers = await paymentFor(ours, wallet(4), DEPOSIT);
    expect((await send(ours, DEPOSIT, headers)).body.code).toBe('SETTLEMENT_PENDING');
    expect((await send(theirs, DEPOSIT, headers)).body.code).toBe('SETTLEMENT_PENDING');
  });

  it('has its turn within a minute beside 1,000 open payments of play money', async () => {
    const ours = await submitted({ payout: undefined });
    const [payment] = await payments();
    if (payment === undefined) throw new Error('no payment');
    const { id: _id, ...rest } = payment;
    const details = JSON.stringify({ ...(JSON.parse(rest.payment) as object), money: 'play' });
    const foreign = {
      ...rest,
      payment: details,
      createdAt: rest.createdAt - 3_600_000,
      leaseUntil: 0,
      dueAt: 1,
    };
    await storage().transaction(async (transaction) => {
      for (let n = 1; n <= 1_000; n += 1)
        await transaction.payments.insert({ ...foreign, nonce: `0x${n.toString(16).padStart(64, '0')}` });
    });
    await pollFor(ours, 60_000);
    const own = await storage().read((reader) => reader.payments.find(payment));
    expect(own?.status).toBe('settled');
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

it('a claim that an instance of other money has left behind can be rejected by an operator in the end', async () => {
  const gate = createGate();
  const { facilitator, payout } = play();
  const dying = await start({ facilitator: slowToVerify(facilitator, gate), payout });
  const pending = depositOf(dying, 4);
  await until(async () => (await payments()).length === 1);
  const [{ id: _id, ...claim }] = (await payments()) as [Awaited<ReturnType<typeof payments>>[0]];
  gate.open();
  await pending;
  await renewStorage();
  await storage().transaction((transaction) => transaction.payments.insert(claim));
  const ours = await start(real());
  const reject = () => ours.pm.rejectPayment({ id: 1, reason: 'Test money.' });
  const pollOnceAfter = async (milliseconds: number): Promise<void> => {
    ours.clock.advance(milliseconds);
    await ours.pm.runJobs();
  };
  await pollOnceAfter(30 * 60_000);
  await expect(reject()).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
  await pollOnceAfter(3 * 3_600_000);
  expect((await payments()).map(({ status }) => status)).toEqual(['claimed']);
  expect((await reject()).status).toBe('rejected');
});

describe('a payment that another sender has submitted', () => {
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
    await pollFor(theirs, 60_000);
    expect((await payments()).map(({ status }) => status).sort()).toEqual(['delivered', 'settled']);
    expect(await availableOf(theirs, 1)).toBe(0);
  });
});

describe('a payment of test money that another sender has submitted', () => {
  async function claimedBefore(facilitator: Facilitator, finish: () => void) {
    const test = await start({ facilitator, payout: { ...fakePayout(), playMoney: true } });
    const late = depositOf(test, 4);
    await until(async () => (await payments()).length === 1);
    const ours = await start(real());
    expect((await depositOf(ours, 1)).status).toBe(201);
    finish();
    expect((await late).status).toBe(503);
    return ours;
  }

  it('is never credited in books of real money', async () => {
    const gate = createGate();
    const ours = await claimedBefore(slowToVerify(spent(true), gate), () => gate.open());
    await pollFor(ours, 60_000);
    expect(await availableOf(ours, 4)).toBe(0);
  });

  it('is not confirmed by an operator on an instance of real money, and may be rejected there', async () => {
    const facilitator = spent(true);
    facilitator.lookupWith({ status: 'unknown', reason: 'the node is away' });
    const ours = await claimedBefore(facilitator, () => undefined);
    const confirmed = ours.pm.confirmPayment({ id: 1, reason: 'Seen on the test chain.' });
    await expect(confirmed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const rejected = await ours.pm.rejectPayment({ id: 1, reason: 'Test money.' });
    expect(rejected.status).toBe('rejected');
    expect(await availableOf(ours, 4)).toBe(0);
  });
});

describe('a development facilitator that is wrapped without playMoney, beside a payout of real money', () => {
  const wrapped = (): Facilitator => {
    const inner = playFacilitator();
    return { ...inner, name: 'wrapped', playMoney: undefined } as unknown as Facilitator;
  };

  it('is named in the log, and its payers are refused, for a question to the oracle too', async () => {
    const ours = await start({ ...real(), facilitator: wrapped() });
    expect(ours.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('the facilitator does not say whether its money is too'),
    );
    expect((await depositOf(ours, 1)).body.code).toBe('PAYMENT_INVALID');
    expect(await availableOf(ours, 1)).toBe(0);
    const asked = await send(ours, ORACLE, await paymentFor(ours, wallet(2), ORACLE));
    expect(asked.body.code).toBe('PAYMENT_INVALID');
  });

  it('leaves nothing behind that keeps the right one from starting', async () => {
    expect((await depositOf(await start(real()), 1)).status).toBe(201);
    expect((await depositOf(await start({ ...real(), facilitator: wrapped() }), 2)).status).toBe(402);
    expect(await refusal(real())).toBe('started');
  });
});

it('a payout that does not say whether its money is real is named in the log beside a facilitator of real money', async () => {
  const { facilitator, payout } = real();
  const ours = await start({
    facilitator,
    payout: { ...payout, playMoney: undefined } as unknown as typeof payout,
  });
  expect(ours.warnings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('the payout does not say whether its money is too'),
  );
});

describe('a withdrawal that was sent a minute ago', () => {
  async function sendOne(): Promise<void> {
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
    await sendOne();
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
    const facilitator = { ...fakeFacilitator(), playMoney: undefined };
    expect((await start({ facilitator, payout })).warnings).toEqual([]);
  });
});
