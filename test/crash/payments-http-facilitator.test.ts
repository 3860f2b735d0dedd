import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import type { Facilitator, LookupResult, SettleResult } from '../../src/ports/facilitator';
import { startFacilitatorServer, type FacilitatorServer } from '../facilitator/support/facilitator-server';
import { describeWith } from '../support/optional';
import { until } from '../support/until';
import type { MortalServer } from './mortal-server';
import { createWorld, type Transfer, type World } from './payment-world';
import {
  balanceOf,
  DEPOSIT,
  newPurchase,
  operate,
  paymentsOf,
  send,
  sendUntilAnswered,
  type Answer,
  type Purchase,
} from './payments-client';
import { randomWallet } from '../support/random-wallet';

const PATIENCE_MS = 30_000;

type Settling = (
  settle: () => Promise<SettleResult>,
  lookup: () => Promise<LookupResult>,
) => Promise<SettleResult | LookupResult>;

describeWith('anvil', 'when a server dies around a facilitator behind HTTP', (binary) => {
  const folder = mkdtempSync(join(tmpdir(), 'facilitator-crash-'));
  let world: World;
  let onChain: EvmFacilitator;
  let service: FacilitatorServer;
  let settling: Settling;
  beforeAll(async () => {
    world = await createWorld(binary, join(folder, 'markets.db'));
    const settler = randomWallet();
    await world.chain.giveGas(settler.address);
    onChain = evmFacilitator({
      rpcUrl: world.chain.url,
      privateKey: settler.privateKey,
      pollIntervalMs: 20,
      clock: world,
    });
    const backing: Facilitator = {
      ...onChain,
      async settle(payment, requirements) {
        const result = await settling(
          () => onChain.settle(payment, requirements),
          () => onChain.lookup(payment, requirements),
        );
        return result.status === 'unused' ? { status: 'unknown', reason: 'not settled' } : result;
      },
    };
    service = await startFacilitatorServer(backing);
  });
  afterAll(async () => {
    onChain.close();
    await service.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface PreparedPurchase {
    victim: MortalServer;
    purchase: Purchase;
    changeFirstSettlement(change: Settling): void;
  }

  async function preparePurchase(facilitatorAsksChain: boolean): Promise<PreparedPurchase> {
    world.settings = { facilitatorUrl: service.url, facilitatorAsksChain };
    const victim = await world.another();
    const purchase = await newPurchase(world, victim, DEPOSIT);
    const plain: Settling = (settle) => settle();
    settling = plain;
    const changeFirstSettlement = (change: Settling): void => {
      settling = (...calls) => {
        settling = plain;
        return change(...calls);
      };
    };
    return { victim, purchase, changeFirstSettlement };
  }

  async function sendUntilDeath(victim: MortalServer, purchase: Purchase): Promise<void> {
    expect(await send(victim, purchase)).toBeNull();
    await victim.hasDied();
  }

  async function successorAfterLease(): Promise<MortalServer> {
    await world.passLease();
    return world.another();
  }

  const settlementsAsked = (): number => service.seen.filter(({ path }) => path === '/settle').length;

  async function checkPurchase(successor: MortalServer, purchase: Purchase, answer: Answer): Promise<void> {
    expect(answer).toMatchObject({ status: 201 });
    const paid = { hash: String(answer.transaction), value: DEPOSIT.amount };
    expect(await world.transfers(purchase.payer, world.payTo)).toEqual<Transfer[]>([paid]);
    expect(await balanceOf(successor, purchase.payer)).toBe(25);
    expect(await paymentsOf(successor, purchase.payer)).toMatchObject([{ transaction: answer.transaction }]);
    expect(await operate(successor, 'GET', '/audit')).toMatchObject({ ok: true });
    await successor.kill();
  }

  describe.each([true, false])('that asks the chain (%p),', (asksChain) => {
    it('and the facilitator has settled nothing yet, the next server settles', async () => {
      const { victim, purchase, changeFirstSettlement } = await preparePurchase(asksChain);
      changeFirstSettlement(async () => {
        await victim.kill();
        return { status: 'unavailable', reason: 'the server has died' };
      });
      await sendUntilDeath(victim, purchase);
      const successor = await successorAfterLease();
      await checkPurchase(successor, purchase, await sendUntilAnswered(successor, purchase));
    });

    it('and the facilitator settles while the next server asks, the payment counts once', async () => {
      const { victim, purchase, changeFirstSettlement } = await preparePurchase(asksChain);
      await world.chain.automine(false);
      changeFirstSettlement(async (settle) => {
        const settled = settle();
        await victim.kill();
        return settled;
      });
      const asked = settlementsAsked();
      await sendUntilDeath(victim, purchase);
      const successor = await successorAfterLease();
      const answered = sendUntilAnswered(successor, purchase);
      await until(() => settlementsAsked() === asked + 2, { withinMs: PATIENCE_MS });
      await world.chain.mine();
      await world.chain.automine(true);
      await checkPurchase(successor, purchase, await answered);
    });
  });

  async function settleWithoutHearingOfIt(asksChain: boolean): Promise<Purchase> {
    const { victim, purchase, changeFirstSettlement } = await preparePurchase(asksChain);
    changeFirstSettlement(async (settle) => {
      const settled = await settle();
      await victim.kill();
      return settled;
    });
    await sendUntilDeath(victim, purchase);
    expect(await world.transfers(purchase.payer, world.payTo)).toHaveLength(1);
    return purchase;
  }

  it('and the facilitator has settled, the chain tells the next server', async () => {
    const purchase = await settleWithoutHearingOfIt(true);
    const successor = await successorAfterLease();
    await checkPurchase(successor, purchase, await sendUntilAnswered(successor, purchase));
  });

  it('and the facilitator has settled, the next server learns it when it asks again', async () => {
    const purchase = await settleWithoutHearingOfIt(false);
    settling = async (settle, lookup) => {
      const again = await settle();
      return again.status === 'spent' ? lookup() : again;
    };
    const successor = await successorAfterLease();
    await checkPurchase(successor, purchase, await sendUntilAnswered(successor, purchase));
  });

  it('and neither chain nor facilitator tells of the settlement, the payment waits until one of them does', async () => {
    const purchase = await settleWithoutHearingOfIt(false);
    const ignorant = await successorAfterLease();
    expect((await send(ignorant, purchase))?.status).toBe(503);
    await world.passLease(ignorant);
    expect((await send(ignorant, purchase))?.status).toBe(503);
    expect(await paymentsOf(ignorant, purchase.payer)).toMatchObject([{ status: 'submitted' }]);
    expect(await balanceOf(ignorant, purchase.payer)).toBe(0);
    await ignorant.kill();
    world.settings = { ...world.settings, facilitatorAsksChain: true };
    const successor = await successorAfterLease();
    await checkPurchase(successor, purchase, await sendUntilAnswered(successor, purchase));
  });
});
