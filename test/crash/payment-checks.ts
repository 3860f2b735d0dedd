import { until } from '../support/until';
import type { MortalServer } from './mortal-server';
import type { Transfer, World } from './payment-world';
import {
  allPayments,
  balanceOf,
  countMarkets,
  DEPOSIT,
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

export type FirstComer = 'the payer comes first' | 'the job comes first';

export interface RepeatedPurchase {
  successor: MortalServer;
  answer: Answer | null;
}

interface Books {
  markets: number;
  balance: number;
}

export interface PreparedPurchase {
  victim: MortalServer;
  purchase: Purchase;
  before: Books;
}

export interface PaymentChecks {
  preparePurchase(call: PaidCall): Promise<PreparedPurchase>;
  repeatPurchase(purchase: Purchase, firstComer: FirstComer): Promise<RepeatedPurchase>;
  checkPurchase(repeated: RepeatedPurchase, purchase: Purchase, before: Books): Promise<void>;
  checkEverything(): Promise<void>;
}

export function createPaymentChecks(world: World): PaymentChecks {
  async function preparePurchase(call: PaidCall): Promise<PreparedPurchase> {
    const victim = await world.server();
    const purchase = await newPurchase(world, victim, call);
    return { victim, purchase, before: await booksOf(victim, purchase.payer) };
  }

  async function repeatPurchase(purchase: Purchase, firstComer: FirstComer): Promise<RepeatedPurchase> {
    if (firstComer === 'the job comes first') {
      await world.passLease();
      const successor = await world.server();
      await until(
        async () => {
          // A claimed payment that was not charged may stay: the claim waits until its authorization has ended.
          const charged = (await world.transfers(purchase.payer, world.payTo)).length;
          const payments = await paymentsOf(successor, purchase.payer);
          const ended = payments.filter(({ status }) => status === 'settled' || status === 'delivered');
          return ended.length === charged && payments.every(({ status }) => status !== 'submitted');
        },
        { withinMs: PATIENCE_MS },
      );
      await checkBeforeRepetition(successor, purchase);
      return { successor, answer: await sendUntilAnswered(successor, purchase) };
    }
    // The server starts before the leases end, so its first run of the jobs finds nothing to do, and the payer
    // comes first.
    const successor = await world.server();
    await world.passLease(successor);
    return { successor, answer: await sendUntilAnswered(successor, purchase) };
  }

  async function checkBeforeRepetition(successor: MortalServer, { call, payer }: Purchase): Promise<void> {
    const charged = (await world.transfers(payer, world.payTo)).length;
    const payments = await paymentsOf(successor, payer);
    expect(payments.filter(({ status }) => status !== 'claimed')).toHaveLength(charged);
    if (call === DEPOSIT) expect(await balanceOf(successor, payer)).toBe(25 * charged);
  }

  async function checkPurchase(
    { successor, answer }: RepeatedPurchase,
    purchase: Purchase,
    before: Books,
  ): Promise<void> {
    const { call, payer } = purchase;
    expect(answer).toMatchObject({ status: call.status, transaction: expect.any(String) });
    const transfers = await world.transfers(payer, world.payTo);
    expect(transfers).toEqual<Transfer[]>([{ hash: String(answer?.transaction), value: call.amount }]);
    await until(async () =>
      (await paymentsOf(successor, payer)).every(({ status }) => status === 'delivered'),
    );
    expect(await paymentsOf(successor, payer)).toMatchObject([
      { operation: operationOf(call), amount: Number(call.amount) / 1e6, transaction: answer?.transaction },
    ]);
    expect(await send(successor, purchase)).toMatchObject({
      status: 402,
      text: expect.stringContaining('used'),
    });
    expect(await world.chain.tokens(payer)).toBe(0n);
    expect(await booksOf(successor, payer)).toEqual({
      markets: before.markets + Number(call === MARKETS),
      balance: call === DEPOSIT ? 25 : 0,
    });
    expect(await operate(successor, 'GET', '/audit')).toMatchObject({ ok: true, differences: [] });
  }

  async function checkEverything(): Promise<void> {
    const payments = await allPayments(await world.server());
    const settled = payments.filter(({ status }) => status === 'settled' || status === 'delivered');
    const sum = settled.reduce((total, { amount }) => total + BigInt(Math.round(amount * 1e6)), 0n);
    expect(await world.chain.tokens(world.payTo)).toBe(sum);
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(settled.length);
  }

  return { preparePurchase, repeatPurchase, checkPurchase, checkEverything };
}

export async function lastAnswer(victim: MortalServer, purchase: Purchase): Promise<Answer | null> {
  const answer = await send(victim, purchase);
  await victim.hasDied();
  return answer;
}

async function booksOf(server: MortalServer, payer: string): Promise<Books> {
  return { markets: await countMarkets(server), balance: await balanceOf(server, payer) };
}

function operationOf({ name }: PaidCall): string {
  return name === 'markets' ? 'create-market' : name;
}
