import { until } from '../support/until';
import type { World } from './payment-world';
import {
  balanceOf,
  DEPOSIT,
  FEED,
  MARKETS,
  newPurchase,
  send,
  sendUntilAnswered,
  type PaidCall,
  type Purchase,
} from './payments-client';
import { createPaymentChecks, lastAnswer, type PaymentChecks, type FirstComer } from './payment-checks';

const PATIENCE_MS = 30_000;

const STEPS = [
  'before claimed',
  'in claimed',
  'after claimed',
  'after verify',
  'in submitted',
  'after submitted',
  'after settle',
  'before the call',
  'before answered',
  'in answered',
  'after answered',
  'before delivered',
  'in delivered',
];
const STORAGE_STEPS = STEPS.filter((step) => /^(in|after) /.test(step) && step !== 'after verify');
/** At these steps money may have moved, and the result of the paid call is not committed yet. */
const RISKY_STEPS = ['after settle', 'before the call', 'in answered'];

const FATES = {
  'it is mined meanwhile': async ({ chain }: World) => {
    await chain.mine();
    await chain.automine(true);
  },
  'the node has forgotten it': async ({ chain }: World, hash: string) => {
    await chain.drop(hash);
    await chain.automine(true);
  },
  'it still waits, and is mined together with the one that the successor sends': async (world: World) => {
    const { chain, settler } = world;
    const bothWait = async (): Promise<boolean> => (await chain.pool(settler)).length === 2;
    // Not awaited: the second transfer comes from a server that starts after this function returns.
    void until(bothWait, { withinMs: PATIENCE_MS }).then(async () => {
      await chain.mine();
      await chain.automine(true);
    });
  },
};

export function paymentCrashes(
  create: () => Promise<World>,
  extent: 'every step' | 'storage steps',
  more: (parts: () => { world: World; checks: PaymentChecks }) => void = () => undefined,
): void {
  let world: World;
  let checks: PaymentChecks;
  beforeAll(async () => {
    world = await create();
    checks = createPaymentChecks(world);
  });
  afterEach(() => world.chain.automine(true));
  afterAll(async () => {
    await checks.checkEverything().finally(() => world.close());
  });

  async function dieAt(step: string, call: PaidCall, firstComer: FirstComer): Promise<void> {
    const { victim, purchase, before } = await checks.preparePurchase(call);
    await victim.tell({ order: 'die', at: step });
    const first = await lastAnswer(victim, purchase);
    const repeated = await checks.repeatPurchase(purchase, firstComer);
    // Until the delivery is stored, a repeated request gets the first answer again.
    if (first !== null) expect(repeated.answer).toEqual(first);
    await checks.checkPurchase(repeated, purchase, before);
  }

  const isFull = extent === 'every step';
  const few = <T>(all: T[]): T[] => (isFull ? all : all.slice(0, 1));

  describe('for a deposit, when the job comes first,', () => {
    const steps = isFull ? RISKY_STEPS : STORAGE_STEPS;
    it.each(steps)('survives a death %s', (step) => dieAt(step, DEPOSIT, 'the job comes first'));
  });

  if (isFull)
    describe('for a deposit, when the payer comes first,', () => {
      it.each(STEPS)('survives a death %s', (step) => dieAt(step, DEPOSIT, 'the payer comes first'));
    });

  describe.each([FEED, MARKETS])('for $name', (call) => {
    it.each(few(RISKY_STEPS))('survives a death %s', (step) => dieAt(step, call, 'the payer comes first'));
  });

  it.each(few([MARKETS, DEPOSIT, FEED]))(
    'for $name is used up after a death behind the delivery, and its copy gets a 402',
    async (call) => {
      const { victim, purchase, before } = await checks.preparePurchase(call);
      await victim.tell({ order: 'die', at: 'after delivered' });
      const first = await lastAnswer(victim, purchase);
      await checks.checkPurchase({ successor: await world.server(), answer: first }, purchase, before);
    },
  );

  it.each(few([MARKETS, DEPOSIT, FEED]))(
    'for $name survives a death when the money is recorded and the call has failed',
    async (call) => {
      const { victim, purchase, before } = await checks.preparePurchase(call);
      await victim.tell({ order: 'fail the call' });
      await victim.tell({ order: 'die', at: 'after settled' });
      expect(await lastAnswer(victim, purchase)).toBeNull();
      await checks.checkPurchase(
        await checks.repeatPurchase(purchase, 'the payer comes first'),
        purchase,
        before,
      );
    },
  );

  it('is answered with a 503 while the lease of the dead server lasts', async () => {
    const { victim, purchase, before } = await checks.preparePurchase(DEPOSIT);
    await victim.tell({ order: 'die', at: 'after settle' });
    expect(await lastAnswer(victim, purchase)).toBeNull();
    const successor = await world.server();
    const early = await send(successor, purchase);
    expect(early).toMatchObject({ status: 503, text: expect.stringContaining('SETTLEMENT_PENDING') });
    await world.passLease(successor);
    await checks.checkPurchase(
      { successor, answer: await sendUntilAnswered(successor, purchase) },
      purchase,
      before,
    );
  });

  it.each(few([DEPOSIT, FEED]))('for $name survives a death before the settler has sent', async (call) => {
    const { victim, purchase, before } = await checks.preparePurchase(call);
    world.gate.atTransaction(1, 'before', () => victim.kill());
    expect(await lastAnswer(victim, purchase)).toBeNull();
    expect(await world.transfers(purchase.payer, world.payTo)).toEqual([]);
    await checks.checkPurchase(
      await checks.repeatPurchase(purchase, 'the job comes first'),
      purchase,
      before,
    );
  });

  describe.each(Object.entries(FATES))('whose transfer was sent survives a death (%s)', (_name, fate) => {
    it.each(few([DEPOSIT, MARKETS]))('for $name', async (call) => {
      const { victim, purchase, before } = await checks.preparePurchase(call);
      await world.chain.automine(false);
      let sent = '';
      world.gate.atTransaction(1, 'after', async (hash) => {
        sent = hash;
        await victim.kill();
      });
      expect(await lastAnswer(victim, purchase)).toBeNull();
      expect(await world.chain.pool(world.settler)).toEqual([sent]);
      await fate(world, sent);
      await checks.checkPurchase(
        await checks.repeatPurchase(purchase, 'the job comes first'),
        purchase,
        before,
      );
    });
  });

  it("whose transfer waits is not given up while the payer's money is away for a moment", async () => {
    const { victim, purchase, before } = await checks.preparePurchase(DEPOSIT);
    await world.chain.automine(false);
    world.gate.atTransaction(1, 'after', () => victim.kill());
    expect(await lastAnswer(victim, purchase)).toBeNull();
    await world.chain.setTokens(purchase.payer, 0n);
    await world.passLease();
    const successor = await world.server();
    expect((await send(successor, purchase))?.status).toBe(503);
    await world.chain.setTokens(purchase.payer, DEPOSIT.amount);
    await world.chain.mine();
    await checks.checkPurchase(
      { successor, answer: await sendUntilAnswered(successor, purchase) },
      purchase,
      before,
    );
  });

  it.each(few(['forgets', 'keeps']))(
    'is one of eight that survive a death when the third is sent and the node %s the first',
    async (does) => {
      const victim = await world.server();
      const purchases: Purchase[] = [];
      for (let count = 0; count < 8; count += 1) purchases.push(await newPurchase(world, victim, DEPOSIT));
      await world.chain.automine(false);
      world.gate.atTransaction(3, 'after', () => victim.kill());
      await Promise.all(purchases.map((purchase) => send(victim, purchase)));
      await victim.hasDied();
      const [first = ''] = await world.chain.pool(world.settler);
      if (does === 'forgets') await world.chain.drop(first);
      await world.chain.automine(true);
      await world.passLease();
      const successor = await world.server();
      const answers = await Promise.all(purchases.map((purchase) => sendUntilAnswered(successor, purchase)));
      for (const [index, { payer }] of purchases.entries()) {
        expect(answers[index]?.status).toBe(201);
        expect(await balanceOf(successor, payer)).toBe(25);
        expect(await world.transfers(payer, world.payTo)).toHaveLength(1);
      }
    },
  );

  it.each(few(['before settle', 'after lookup', 'after settle', 'in answered']))(
    'survives a death before the settler has sent, and one of the next server %s',
    async (step) => {
      const { victim, purchase, before } = await checks.preparePurchase(DEPOSIT);
      world.gate.atTransaction(1, 'before', () => victim.kill());
      expect(await lastAnswer(victim, purchase)).toBeNull();
      const successor = await world.server();
      await successor.tell({ order: 'die', at: step });
      await world.passLease(successor);
      expect(await lastAnswer(successor, purchase)).toBeNull();
      await checks.checkPurchase(
        await checks.repeatPurchase(purchase, 'the job comes first'),
        purchase,
        before,
      );
    },
  );

  more(() => ({ world, checks }));
}
