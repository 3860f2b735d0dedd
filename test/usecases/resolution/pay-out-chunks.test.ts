import type { Outcome } from '../../../src/domain/types';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { MARKET_LEASE_MS } from '../../../src/usecases/resolution/market-lease';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import { faultyStorage } from '../faulty-storage';
import { ALICE, addressOf, createWorld, runUntilQuiet, USD, type World } from './world';

function resolve(world: World, id: number, outcome: Outcome) {
  return resolveMarket(world.context, { market: String(id), outcome, note: null });
}

describe('many positions', () => {
  const HOLDERS = Array.from({ length: 2_300 }, (_, index) => addressOf(index + 1000));
  const SHARES = 100_000n;

  async function crowded(): Promise<{ world: World; id: number }> {
    const world = await createWorld();
    const id = await world.open();
    await Promise.all(HOLDERS.map((holder) => world.fund(holder, 1n)));
    await Promise.all(
      HOLDERS.map((holder, index) => world.trade(id, holder, index % 2 === 0 ? 'YES' : 'NO', SHARES)),
    );
    return { world, id };
  }

  async function paidPositions(world: World, id: number): Promise<number> {
    return (await world.positions(id, HOLDERS)).filter(({ paidOut }) => paidOut).length;
  }

  async function expectPaid(world: World, id: number, before: Map<string, bigint>): Promise<void> {
    for (const [index, holder] of HOLDERS.entries()) {
      const payout = index % 2 === 0 ? SHARES : 0n;
      expect((await world.balance(holder)) - (before.get(holder) ?? 0n)).toBe(payout);
    }
    expect(await world.market(id)).toMatchObject({ pool: 0n, dueAt: null });
    await world.expectCleanAudit();
  }

  async function balances(world: World): Promise<Map<string, bigint>> {
    return new Map(
      await Promise.all(HOLDERS.map(async (holder) => [holder, await world.balance(holder)] as const)),
    );
  }

  it('are paid a thousand at a time: the first ones at once, the rest by the job', async () => {
    const { world, id } = await crowded();
    const before = await balances(world);
    await resolve(world, id, 'YES');
    expect(await paidPositions(world, id)).toBe(1_000);
    expect(world.hints.due).toBe(1);
    expect((await world.market(id)).dueAt).toBe(world.clock.now());
    await world.expectCleanAudit();
    expect(await runUntilQuiet(world.context)).toBe(1);
    await expectPaid(world, id, before);
  });

  it('do not keep others from trading between two chunks', async () => {
    const { world, id } = await crowded();
    const other = await world.open('Another one?');
    await resolve(world, id, 'YES');
    const order: string[] = [];
    const { storage, faults } = faultyStorage(world.storage);
    faults.onMarketWritten = () => order.push('chunk');
    const paying = runDueMarkets(world.instance(storage).context);
    const trading = world.fund(ALICE, 10n).then(() => world.trade(other, ALICE, 'YES', USD));
    await Promise.all([paying, trading.then(() => order.push('trade'))]);
    expect(order.indexOf('trade')).toBeLessThan(order.lastIndexOf('chunk'));
    await world.expectCleanAudit();
  });

  it('are paid once, whichever call of whichever transaction fails, with clean books all along', async () => {
    const { world, id } = await crowded();
    const before = await balances(world);
    const { storage, faults } = faultyStorage(world.storage);
    const failing = world.instance(storage);
    const failures: string[] = [];
    let stop = new AbortController();
    faults.onMarketWritten = () => stop.abort();

    /** In attempt n, call n of each transaction fails. Ends when at least `paid` positions are paid. */
    async function untilPaid(attempt: () => Promise<unknown>, paid: number): Promise<void> {
      for (let call = 1; (await paidPositions(world, id)) < paid; call += 1) {
        faults.failAtCall = call;
        stop = new AbortController();
        await attempt().catch((error: unknown) => failures.push(String(error)));
        await world.expectCleanAudit();
        world.clock.advance(MARKET_LEASE_MS);
      }
    }

    const decide = () => resolveMarket(failing.context, { market: String(id), outcome: 'YES', note: null });
    const pay = () => runDueMarkets(failing.context, { signal: stop.signal });
    await untilPaid(decide, 1_000);
    const failuresOfDecision = failures.length;
    await untilPaid(pay, 2_000);
    await untilPaid(pay, 2_300);
    expect(failuresOfDecision).toBeGreaterThan(8);
    expect(failing.logged).toHaveLength(16);
    faults.failAtCall = null;
    await expectPaid(world, id, before);
  });

  it('are paid once when it is not known whether a commit has happened', async () => {
    const { world, id } = await crowded();
    const before = await balances(world);
    const { storage, faults } = faultyStorage(world.storage);
    const failing = world.instance(storage);
    faults.loseCommits = true;
    const command = { market: String(id), outcome: 'YES', note: null } as const;
    await expect(resolveMarket(failing.context, command)).rejects.toThrow('commit');
    for (let run = 0; run < 2; run += 1) {
      await runUntilQuiet(failing.context);
      world.clock.advance(MARKET_LEASE_MS);
      await world.expectCleanAudit();
    }
    faults.loseCommits = false;
    expect((await resolveMarket(failing.context, command)).status).toBe('resolved');
    await runUntilQuiet(failing.context);
    await expectPaid(world, id, before);
  });

  it('are left by an instance whose lease another one has taken', async () => {
    const { world, id } = await crowded();
    const before = await balances(world);
    await resolve(world, id, 'YES');
    const { storage, faults } = faultyStorage(world.storage);
    const paused = world.instance(storage);
    const takenOver: Promise<unknown>[] = [];
    faults.onMarketWritten = () => {
      // The instance is paused after its first chunk until its lease has ended, and another instance continues.
      world.clock.advance(MARKET_LEASE_MS);
      takenOver.push(runUntilQuiet(world.context));
    };
    await runDueMarkets(paused.context);
    expect(takenOver).toHaveLength(1);
    await Promise.all(takenOver);
    await expectPaid(world, id, before);
    expect(paused.logged).toEqual([]);
  });

  it('go on where they were when the instance is told to stop', async () => {
    const { world, id } = await crowded();
    const before = await balances(world);
    await resolve(world, id, 'YES');
    const { storage, faults } = faultyStorage(world.storage);
    const stop = new AbortController();
    faults.onMarketWritten = () => stop.abort();
    await runDueMarkets(world.instance(storage).context, { signal: stop.signal });
    expect(await paidPositions(world, id)).toBe(2_000);
    expect(await runUntilQuiet(world.context)).toBe(0);
    world.clock.advance(MARKET_LEASE_MS);
    await runUntilQuiet(world.context);
    await expectPaid(world, id, before);
  });
});
