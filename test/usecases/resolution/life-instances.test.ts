import { closeMarket } from '../../../src/usecases/markets/close-market';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { MARKET_LEASE_MS } from '../../../src/usecases/resolution/market-lease';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import { ALICE, closedMarket, HOUR, runUntilQuiet, tradedMarket, USD } from './world';

const MINUTE = 60_000;
/** How long a market is leased while its voters are asked. */
const ROUND_LEASE_MS = 90_000 + MARKET_LEASE_MS;

describe('several instances', () => {
  it('handle each market once', async () => {
    const { world, id } = await closedMarket();
    const other = world.instance();
    for (const { oracle } of [world, other]) oracle.answer('YES');
    const runs = await Promise.all([world, other].map(({ context }) => runDueMarkets(context)));
    await Promise.all(runs.map(({ allRoundsEnded }) => allRoundsEnded));
    expect(runs.map(({ marketsLeased }) => marketsLeased).sort()).toEqual([0, 1]);
    expect(world.oracle.questions.length + other.oracle.questions.length).toBe(1);
    expect((await world.market(id)).status).toBe('resolved');
    await world.expectCleanAudit();
  });

  it('take over from a dead owner when its lease ends, not before', async () => {
    const { world, id } = await closedMarket();
    const dead = world.instance();
    dead.oracle.hold();
    await runDueMarkets(dead.context, { oracleTimeLimit: () => new AbortController().signal });
    world.oracle.answer('NO');
    world.clock.advance(ROUND_LEASE_MS - 1);
    expect(await runUntilQuiet(world.context)).toBe(0);
    world.clock.advance(1);
    expect(await runUntilQuiet(world.context)).toBe(1);
    expect((await world.market(id)).resolution?.outcome).toBe('NO');
  });

  it('refuse the answer of an instance that was paused beyond its lease', async () => {
    const { world, id } = await closedMarket();
    const paused = world.instance();
    paused.oracle.answer('YES');
    const wakeUp = paused.oracle.hold();
    const { allRoundsEnded } = await runDueMarkets(paused.context);
    await paused.asked();
    world.clock.advance(ROUND_LEASE_MS);
    await runUntilQuiet(world.context);
    wakeUp();
    await allRoundsEnded;
    expect(await world.market(id)).toMatchObject({
      status: 'resolving',
      oracleAttempts: 1,
      resolution: null,
    });
    expect(paused.logged).toEqual(['the oracle answered after another instance had taken the market over']);
  });

  it('do not postpone a market that another one leases now', async () => {
    const { world, id } = await closedMarket();
    const paused = world.instance();
    const wakeUp = paused.oracle.hold();
    const { allRoundsEnded } = await runDueMarkets(paused.context);
    await paused.asked();
    world.clock.advance(ROUND_LEASE_MS);
    const holding = world.instance();
    holding.oracle.hold();
    await runDueMarkets(holding.context, { oracleTimeLimit: () => new AbortController().signal });
    const leased = await world.market(id);
    wakeUp();
    await allRoundsEnded;
    expect(await world.market(id)).toEqual(leased);
  });

  it('stop waiting for the oracle when they are told to stop, without counting an attempt', async () => {
    const { world, id } = await closedMarket();
    world.oracle.hold();
    const stop = new AbortController();
    const { allRoundsEnded } = await runDueMarkets(world.context, { signal: stop.signal });
    stop.abort();
    await allRoundsEnded;
    expect(await world.market(id)).toMatchObject({ oracleAttempts: 0, dueAt: world.clock.now() });
  });
});

describe('an operator', () => {
  it('wins over an oracle that is still thinking', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES');
    const release = world.oracle.hold();
    const { allRoundsEnded } = await runDueMarkets(world.context);
    const view = await resolveMarket(world.context, { market: String(id), outcome: 'NO', note: 'seen' });
    release();
    await allRoundsEnded;
    expect(view.resolution).toEqual({
      outcome: 'NO',
      resolvedAt: '2030-01-01T01:00:00.000Z',
      oracleConsensus: 1,
      method: 'operator',
    });
    expect((await world.market(id)).resolution).toMatchObject({ outcome: 'NO', note: 'seen' });
    await world.expectCleanAudit();
  });

  it('closes an open market, which ends trading and makes it due for the oracle', async () => {
    const { world, id } = await tradedMarket();
    const view = await closeMarket(world.context, { market: 'PM-0001' });
    expect(view).toMatchObject({ id, status: 'resolving', creator: { displayName: 'Ada' } });
    expect(world.hints.due).toBe(1);
    await expect(world.trade(id, ALICE, 'YES', USD)).rejects.toMatchObject({ code: 'MARKET_CLOSED' });
    expect(await world.market(id)).toMatchObject({ marketSeq: 4, dueAt: world.clock.now() });
    world.oracle.answer('YES');
    await runUntilQuiet(world.context);
    expect((await world.market(id)).status).toBe('resolved');
  });

  it('closes a resolving market without effect, and cannot close a resolved one', async () => {
    const { world, id } = await closedMarket();
    await runUntilQuiet(world.context);
    const before = await world.market(id);
    expect((await closeMarket(world.context, { market: before.slug })).status).toBe('resolving');
    expect(await world.market(id)).toEqual(before);
    await resolveMarket(world.context, { market: '1', outcome: 'YES', note: null });
    const closing = closeMarket(world.context, { market: '1' });
    await expect(closing).rejects.toMatchObject({ code: 'MARKET_CLOSED' });
    await expect(closeMarket(world.context, { market: '77' })).rejects.toMatchObject({
      code: 'MARKET_NOT_FOUND',
    });
  });

  it('resolves an open market, which closes first, and both facts are told', async () => {
    const { world, id } = await tradedMarket();
    await resolveMarket(world.context, { market: String(id), outcome: 'YES', note: null });
    expect((await world.kinds(id)).slice(3)).toEqual(['4 market.resolving', '5 market.resolved']);
    expect(await world.statuses()).toEqual({ resolved: { markets: 1, exposure: 0n } });
    expect(await runUntilQuiet(world.context)).toBe(0);
    world.clock.advance(2 * HOUR);
    expect(await runUntilQuiet(world.context)).toBe(0);
    await world.expectCleanAudit();
  });

  it('resolves again with the same outcome without effect, and cannot with another', async () => {
    const { world, id } = await tradedMarket();
    const resolve = (outcome: 'YES' | 'NO' | 'VOID') =>
      resolveMarket(world.context, { market: String(id), outcome, note: null });
    const first = await resolve('VOID');
    const before = [await world.market(id), await world.balance(ALICE)];
    world.clock.advance(MINUTE);
    expect(await resolve('VOID')).toEqual(first);
    await expect(resolve('YES')).rejects.toMatchObject({ code: 'ALREADY_RESOLVED', status: 409 });
    expect([await world.market(id), await world.balance(ALICE)]).toEqual(before);
    expect((await world.kinds(id)).length).toBe(5);
  });

  it('decides once when fifty of them decide at the same time', async () => {
    const { world, id } = await tradedMarket();
    const outcomes = (['YES', 'NO'] as const).flatMap((outcome) => Array.from({ length: 25 }, () => outcome));
    const results = await Promise.allSettled(
      outcomes.map((outcome) => resolveMarket(world.context, { market: String(id), outcome, note: null })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
    expect((await world.kinds(id)).length).toBe(5);
    await world.expectCleanAudit();
  });
});
