import { FINAL_BLOCKS } from '../chain/support/anvil';
import { until } from '../support/until';
import type { MortalServer } from './mortal-server';
import { LEASES_MS, USD, type World } from './payment-world';
import { ask, operate } from './payments-client';
import { randomAddress } from '../support/random-wallet';

const REQUEST_STEPS = ['before reserved', 'in reserved', 'after reserved'];
/** In order. At `sent` the new status is stored, and the transfer is sent after that. */
const PAYOUT_STEPS = [
  'before prepare',
  'after prepare',
  'in sent',
  'after sent',
  'after submit',
  'before check',
  'before confirmed',
  'in confirmed',
  'after confirmed',
];
const RENEWAL_STEPS = ['in sent', 'after sent', 'after submit'];
const FAILURE_STEPS = ['before failed', 'in failed', 'after failed'];
const RISKY_STEPS = [
  'in reserved',
  'in sent',
  'after submit',
  'in confirmed',
  'after confirmed',
  'in failed',
];
const PATIENCE_MS = 30_000;

interface Withdrawal {
  wallet: string;
  key: string;
}

interface WithdrawalView {
  status: string;
  amount: number;
  transaction: string | null;
}

export function withdrawalCrashes(create: () => Promise<World>, extent: 'every step' | 'risky steps'): void {
  const chosen = (steps: string[]): string[] =>
    extent === 'every step' ? steps : steps.filter((step) => RISKY_STEPS.includes(step));

  let world: World;
  beforeAll(async () => {
    world = await create();
  });
  afterEach(() => world.chain.automine(true));
  afterAll(() => world.close());

  async function funded(server: MortalServer): Promise<Withdrawal> {
    const wallet = randomAddress();
    await ask(server, `/program/fund?wallet=${wallet}&amount=100&key=${wallet}`);
    return { wallet, key: `out-${wallet}` };
  }

  const request = (server: MortalServer, { wallet, key }: Withdrawal): Promise<WithdrawalView> =>
    ask(server, `/program/withdraw?wallet=${wallet}&amount=40&key=${key}`);

  async function withdrawalsOf(server: MortalServer, { wallet }: Withdrawal): Promise<WithdrawalView[]> {
    const path = `/program/withdrawals?wallet=${wallet}`;
    return (await ask<{ withdrawals: WithdrawalView[] }>(server, path)).withdrawals;
  }

  async function runJobsUntilDeath(victim: MortalServer): Promise<void> {
    await until(
      async () => {
        if (!victim.isDead()) await victim.tell({ order: 'run jobs' }).catch(() => victim.hasDied());
        return victim.isDead();
      },
      { withinMs: PATIENCE_MS },
    );
  }

  async function successorAfterLeases(): Promise<MortalServer> {
    await world.pass(LEASES_MS);
    return world.server();
  }

  async function finish(
    successor: MortalServer,
    withdrawal: Withdrawal,
    status: string,
  ): Promise<WithdrawalView> {
    let views: WithdrawalView[] = [];
    await until(
      async () => {
        await successor.tell({ order: 'run jobs' });
        views = await withdrawalsOf(successor, withdrawal);
        return views.every((view) => view.status === status);
      },
      { what: () => `withdrawals that are ${status}: ${JSON.stringify(views)}`, withinMs: PATIENCE_MS },
    );
    expect(views).toMatchObject([{ status, amount: 40 }]);
    return views[0] as WithdrawalView;
  }

  async function checkWithdrawal(
    successor: MortalServer,
    withdrawal: Withdrawal,
    status: 'confirmed' | 'failed' = 'confirmed',
  ): Promise<void> {
    const { wallet } = withdrawal;
    const { transaction } = await finish(successor, withdrawal, status);
    const paid = status === 'confirmed';
    expect(await world.transfers(world.treasury, wallet)).toEqual(
      paid ? [{ hash: transaction, value: 40n * USD }] : [],
    );
    const balance = paid ? 60 : 100;
    expect(await operate(successor, 'GET', `/accounts/${wallet}`)).toMatchObject({ balance, reserved: 0 });
    expect(await operate(successor, 'GET', '/audit')).toMatchObject({ ok: true, differences: [] });
    await request(successor, withdrawal);
    await successor.tell({ order: 'run jobs' });
    expect(await withdrawalsOf(successor, withdrawal)).toHaveLength(1);
    expect(await world.transfers(world.treasury, wallet)).toHaveLength(paid ? 1 : 0);
  }

  it.each(chosen(REQUEST_STEPS))('survives a death %s', async (step) => {
    const victim = await world.server();
    const withdrawal = await funded(victim);
    await victim.tell({ order: 'die', at: step });
    await expect(request(victim, withdrawal)).rejects.toThrow();
    await victim.hasDied();
    const successor = await successorAfterLeases();
    await request(successor, withdrawal);
    await checkWithdrawal(successor, withdrawal);
  });

  it.each(chosen(PAYOUT_STEPS))('survives a death %s', async (step) => {
    const victim = await world.server();
    const withdrawal = await funded(victim);
    await victim.tell({ order: 'die', at: step });
    await request(victim, withdrawal);
    await runJobsUntilDeath(victim);
    await checkWithdrawal(await successorAfterLeases(), withdrawal);
  });

  it('survives a death before the transfer is sent', async () => {
    const victim = await world.server();
    const withdrawal = await funded(victim);
    world.gate.atTransaction(1, 'before', () => victim.kill());
    await request(victim, withdrawal);
    await runJobsUntilDeath(victim);
    expect(await world.transfers(world.treasury, withdrawal.wallet)).toEqual([]);
    await checkWithdrawal(await successorAfterLeases(), withdrawal);
  });

  async function dieWithUnminedTransfer(withdrawal: Withdrawal): Promise<string> {
    const victim = await world.server();
    await world.chain.automine(false);
    let sent = '';
    world.gate.atTransaction(1, 'after', async (hash) => {
      sent = hash;
      await victim.kill();
    });
    await request(victim, withdrawal);
    await runJobsUntilDeath(victim);
    expect(await world.chain.pool(world.treasury)).toEqual([sent]);
    return sent;
  }

  it('survives a death after the transfer is sent, which is mined meanwhile', async () => {
    const withdrawal = await funded(await world.server());
    await dieWithUnminedTransfer(withdrawal);
    await world.chain.mine();
    await checkWithdrawal(await successorAfterLeases(), withdrawal);
  });

  it('survives a death after the transfer is sent, which the node forgets', async () => {
    const withdrawal = await funded(await world.server());
    await world.chain.drop(await dieWithUnminedTransfer(withdrawal));
    await world.chain.automine(true);
    await checkWithdrawal(await successorAfterLeases(), withdrawal);
  });

  async function dyingSuccessor(step: string): Promise<void> {
    const successor = await world.server();
    await successor.tell({ order: 'die', at: step });
    await world.pass(LEASES_MS, successor);
    await runJobsUntilDeath(successor);
  }

  it.each(chosen(RENEWAL_STEPS))(
    'survives a death after the transfer is sent, and one of the next server, which offers more gas for it, %s',
    async (step) => {
      const withdrawal = await funded(await world.server());
      const first = await dieWithUnminedTransfer(withdrawal);
      await dyingSuccessor(step);
      const successor = await successorAfterLeases();
      await until(
        async () => {
          await successor.tell({ order: 'run jobs' });
          return !(await world.chain.pool(world.treasury)).includes(first);
        },
        { withinMs: PATIENCE_MS },
      );
      expect(await world.chain.pool(world.treasury)).toHaveLength(1);
      await world.chain.mine();
      await checkWithdrawal(successor, withdrawal);
    },
  );

  it('is one of three that survive a death before the second is sent', async () => {
    const victim = await world.server();
    const withdrawals = [await funded(victim), await funded(victim), await funded(victim)];
    for (const withdrawal of withdrawals) await request(victim, withdrawal);
    world.gate.atTransaction(2, 'before', () => victim.kill());
    await runJobsUntilDeath(victim);
    const successor = await successorAfterLeases();
    for (const withdrawal of withdrawals) await checkWithdrawal(successor, withdrawal);
  });

  it.each(chosen(FAILURE_STEPS))('that reverts in its block survives a death %s', async (step) => {
    const withdrawal = await funded(await world.server());
    await dieWithUnminedTransfer(withdrawal);
    const tokens = await world.chain.tokens(world.treasury);
    await world.chain.setTokens(world.treasury, 0n);
    await world.chain.mine(FINAL_BLOCKS);
    await world.chain.automine(true);
    await world.chain.setTokens(world.treasury, tokens);
    await dyingSuccessor(step);
    await checkWithdrawal(await successorAfterLeases(), withdrawal, 'failed');
  });
}
