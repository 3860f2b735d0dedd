/** A real server, killed at every step of a payment's life and started again, with a real chain under it. */
import { until } from '../support/until';
import type { MortalServer } from './mortal-server';
import type { Transfer, World } from './payment-world';
import {
  allPayments,
  balanceOf,
  countMarkets,
  DEPOSIT,
  FEED,
  MARKETS,
  newPurchase,
  operate,
  paymentsOf,
  send,
  sendUntilAnswered,
  type Answer,
  type PaidCall,
  type Purchase,
} from './payments-client';

const PATIENCE_MS = 30_000;

/** In their order; steps of the program itself. */
const STEPS = [
  'before claimed',
  'in claimed',
  'after claimed',
  'before verify',
  'after verify',
  'before submitted',
  'in submitted',
  'after submitted',
  'before settle',
  'after settle',
  'before the call',
  'before answered',
  'in answered',
  'after answered',
  'before delivered',
  'in delivered',
];
/** Where money has moved and the call has not run yet, or where nobody knows. */
const RISKY_STEPS = ['after submitted', 'after settle', 'before the call', 'in answered', 'after answered'];

/** What has become of a transfer that was sent, when the heir comes. */
const FATES = {
  'it is mined meanwhile': async ({ chain }: World) => {
    await chain.mine();
    await chain.automine(true);
  },
  'the node has forgotten it': async ({ chain }: World, hash: string) => {
    await chain.drop(hash);
    await chain.automine(true);
  },
  'it still waits, and is mined together with the one that the heir sends': async (world: World) => {
    const { chain, settler } = world;
    const bothWait = async (): Promise<boolean> => (await chain.pool(settler)).length === 2;
    // Not awaited: the heir has yet to come.
    void until(bothWait, PATIENCE_MS).then(async () => {
      await chain.mine();
      await chain.automine(true);
    });
  },
};

export type Heir = 'the payer comes first' | 'the job comes first';

/** What the payer has of the server that follows. */
interface Return {
  heir: MortalServer;
  answer: Answer | null;
}

/** With every step for the heir that is named, and the risky ones for the other. */
export function paymentCrashes(create: () => Promise<World>, thorough: Heir): void {
  let world: World;
  beforeAll(async () => {
    world = await create();
  });
  afterEach(() => world.chain.automine(true));
  afterAll(async () => {
    await judgeEverything().finally(() => world.close());
  });

  /** The payer sends the same again to the server that follows a dead one; the dead one's leases come to their end. */
  async function comeAgain(purchase: Purchase, comes: Heir): Promise<Return> {
    if (comes === 'the job comes first') {
      await world.passLease();
      const heir = await world.server();
      await until(async () => {
        const payments = await paymentsOf(heir, purchase.payer);
        return payments.every(({ status }) => status === 'settled' || status === 'delivered');
      }, PATIENCE_MS);
      await judgeWithoutPayer(heir, purchase);
      return { heir, answer: await sendUntilAnswered(heir, purchase) };
    }
    const heir = await world.server();
    const early = await send(heir, purchase);
    // The lease may still be the dead one's: then the payer is told to come again.
    if (early?.status !== 503) return { heir, answer: early };
    await world.passLease(heir);
    return { heir, answer: await sendUntilAnswered(heir, purchase) };
  }

  /** Who has been charged has what it was for, also without coming again. */
  async function judgeWithoutPayer(heir: MortalServer, { call, payer }: Purchase): Promise<void> {
    const charged = (await world.transfers(payer, world.payTo)).length;
    expect(await paymentsOf(heir, payer)).toHaveLength(charged);
    if (call === DEPOSIT) expect(await balanceOf(heir, payer)).toBe(25 * charged);
  }

  /** Everything that has to be so in the end. */
  async function judge({ heir, answer }: Return, purchase: Purchase, before: Books): Promise<void> {
    const { call, payer } = purchase;
    expect(answer).toMatchObject({ status: call.status, transaction: expect.any(String) });
    const transfers = await world.transfers(payer, world.payTo);
    expect(transfers).toEqual<Transfer[]>([{ hash: String(answer?.transaction), value: call.amount }]);
    await until(async () => (await paymentsOf(heir, payer)).every(({ status }) => status === 'delivered'));
    expect(await paymentsOf(heir, payer)).toMatchObject([
      { operation: operationOf(call), amount: Number(call.amount) / 1e6, transaction: answer?.transaction },
    ]);
    expect(await send(heir, purchase)).toMatchObject({ status: 402, text: expect.stringContaining('used') });
    expect(await world.chain.tokens(payer)).toBe(0n);
    expect(await booksOf(heir, payer)).toEqual({
      markets: before.markets + Number(call === MARKETS),
      balance: call === DEPOSIT ? 25 : 0,
    });
    expect(await operate(heir, 'GET', '/audit')).toMatchObject({ ok: true, differences: [] });
  }

  interface Scene {
    victim: MortalServer;
    purchase: Purchase;
    before: Books;
  }

  async function scene(call: PaidCall): Promise<Scene> {
    const victim = await world.server();
    const purchase = await newPurchase(world, victim, call);
    return { victim, purchase, before: await booksOf(victim, purchase.payer) };
  }

  async function dieAt(step: string, call: PaidCall, comes: Heir): Promise<void> {
    const { victim, purchase, before } = await scene(call);
    await victim.tell({ order: 'die', at: step });
    const first = await lastAnswer(victim, purchase);
    const again = await comeAgain(purchase, comes);
    // Until it is known to be delivered, a repetition is answered as the first time.
    if (first !== null) expect(again.answer).toEqual(first);
    await judge(again, purchase, before);
  }

  describe.each<Heir>(['the payer comes first', 'the job comes first'])('of a deposit, when %s,', (comes) => {
    it.each(comes === thorough ? STEPS : RISKY_STEPS)('a death %s', (step) => dieAt(step, DEPOSIT, comes));
  });

  describe.each([FEED, MARKETS])('of $name', (call) => {
    it.each(RISKY_STEPS)('a death %s', (step) => dieAt(step, call, 'the payer comes first'));
  });

  it.each([DEPOSIT, FEED, MARKETS])('of $name a death after delivery: the copy is a 402', async (call) => {
    const { victim, purchase, before } = await scene(call);
    await victim.tell({ order: 'die', at: 'after delivered' });
    const first = await lastAnswer(victim, purchase);
    await judge({ heir: await world.server(), answer: first }, purchase, before);
  });

  it.each([DEPOSIT, FEED, MARKETS])(
    'of $name a death when the money is recorded and the call has failed',
    async (call) => {
      const { victim, purchase, before } = await scene(call);
      await victim.tell({ order: 'fail the call' });
      await victim.tell({ order: 'die', at: 'after settled' });
      expect(await lastAnswer(victim, purchase)).toBeNull();
      await judge(await comeAgain(purchase, 'the payer comes first'), purchase, before);
    },
  );

  it.each([DEPOSIT, FEED])('of $name a death before the settler has sent', async (call) => {
    const { victim, purchase, before } = await scene(call);
    world.gate.atTransaction(1, 'before', () => victim.kill());
    expect(await lastAnswer(victim, purchase)).toBeNull();
    expect(await world.transfers(purchase.payer, world.payTo)).toEqual([]);
    await judge(await comeAgain(purchase, 'the job comes first'), purchase, before);
  });

  describe.each(Object.entries(FATES))('of a transfer that was sent: %s', (_name, fate) => {
    it.each([DEPOSIT, MARKETS])('$name', async (call) => {
      const { victim, purchase, before } = await scene(call);
      await world.chain.automine(false);
      let sent = '';
      world.gate.atTransaction(1, 'after', async (hash) => {
        sent = hash;
        await victim.kill();
      });
      expect(await lastAnswer(victim, purchase)).toBeNull();
      expect(await world.chain.pool(world.settler)).toEqual([sent]);
      await fate(world, sent);
      await judge(await comeAgain(purchase, 'the job comes first'), purchase, before);
    });
  });

  it.each(['keeps', 'forgets'])(
    'eight payments at once, a death when the third is sent; the node %s the first',
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
      const heir = await world.server();
      const answers = await Promise.all(purchases.map((purchase) => sendUntilAnswered(heir, purchase)));
      for (const [index, { payer }] of purchases.entries()) {
        expect(answers[index]?.status).toBe(201);
        expect(await balanceOf(heir, payer)).toBe(25);
        expect(await world.transfers(payer, world.payTo)).toHaveLength(1);
      }
    },
  );

  async function judgeEverything(): Promise<void> {
    const payments = await allPayments(await world.server());
    const settled = payments.filter(({ status }) => status === 'settled' || status === 'delivered');
    const sum = settled.reduce((total, { amount }) => total + BigInt(Math.round(amount * 1e6)), 0n);
    expect(await world.chain.tokens(world.payTo)).toBe(sum);
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(settled.length);
  }
}

/** Of a server that dies over it. */
async function lastAnswer(victim: MortalServer, purchase: Purchase): Promise<Answer | null> {
  const answer = await send(victim, purchase);
  await victim.hasDied();
  return answer;
}

interface Books {
  markets: number;
  balance: number;
}

async function booksOf(server: MortalServer, payer: string): Promise<Books> {
  return { markets: await countMarkets(server), balance: await balanceOf(server, payer) };
}

function operationOf({ name }: PaidCall): string {
  return name === 'markets' ? 'create-market' : name;
}
