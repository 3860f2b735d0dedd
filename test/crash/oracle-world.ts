import { until } from '../support/until';
import { ruled } from '../usecases/resolution/rounds-model';
import type { MortalServer } from './mortal-server';
import type { MarketBooks, OracleServerSettings, StoredRound } from './oracle-server';
import { ask, operate } from './payments-client';
import { createServerLine, type ServerLine } from './server-line';
import { startVoters, votesOf, type Saying, type Voters } from './voters';

const HOUR = 3_600_000;
export const TRADING_MS = 2 * HOUR;
/** Longer than a lease (30 s, and 120 s while the voters are asked) and than the pause between two rounds. */
export const STEP_MS = 140_000;
const INTERVAL_MS = 1_000;
export const CHALLENGE_MS = HOUR;
const SMALL = 4;
const SHARE = '1000000';

export interface Death {
  at: string;
  time?: number;
}

export interface OpenedMarket {
  id: number;
  holders: number;
  seqBeforeMarket: number;
  script: readonly Saying[];
  /** The round whose first votes get lost, so that the voters are asked twice. `null`: no votes get lost. */
  lost: number | null;
}

export interface OracleWorld extends ServerLine {
  voters: Voters;
  /** Overrides single settings of servers that start from now on. */
  settings: Partial<OracleServerSettings>;
  open(script: readonly Saying[], more?: { holders?: number; lost?: number | null }): Promise<OpenedMarket>;
  dieAt(market: OpenedMarket, death: Death): Promise<void>;
  /** Reads what the storage has about the market, and checks that no vote has changed since the last call. */
  books(market: OpenedMarket): Promise<MarketBooks>;
  work(market: OpenedMarket, until?: 'proposed'): Promise<void>;
  finish(market: OpenedMarket): Promise<MarketBooks>;
  /** Works until the market is paid and checks the result. Not for a market that an operator has decided. */
  checkMarket(market: OpenedMarket): Promise<void>;
  checkPayOut(market: OpenedMarket, outcome: 'YES' | 'NO'): Promise<void>;
  checkRounds(market: OpenedMarket): Promise<void>;
}

export async function createOracleWorld(storage: string): Promise<OracleWorld> {
  const voters = await startVoters();
  const settings: Partial<OracleServerSettings> = {};
  const line = createServerLine<OracleServerSettings>('test/crash/oracle-server.ts', storage, (common) => ({
    ...common,
    votersUrl: voters.url,
    resolutionIntervalMs: INTERVAL_MS,
    challengePeriodMs: 0,
    ...settings,
  }));
  const knownRounds = new Map<number, StoredRound[]>();

  async function open(
    script: readonly Saying[],
    { holders = SMALL, lost = null }: { holders?: number; lost?: number | null } = {},
  ): Promise<OpenedMarket> {
    const server = await line.server();
    const path = `/program/open?holders=${holders}`;
    const opened = await ask<Pick<OpenedMarket, 'id' | 'seqBeforeMarket'>>(server, path);
    voters.script(opened.id, script, lost ?? undefined);
    return { ...opened, holders, script, lost };
  }

  async function dieAt(market: OpenedMarket, death: Death): Promise<void> {
    const victim = await line.server();
    await victim.tell({ order: 'die', ...death });
    for (let steps = 0; !victim.isDead(); steps += 1) {
      if (steps > market.script.length + 1) throw new Error(`the server does not die ${death.at}`);
      await step(market, victim).catch(() => victim.hasDied());
    }
    const { market: stored, balances } = await books(market);
    if (stored.status !== 'resolved') expect(balances).toEqual(balances.map(() => '0'));
  }

  async function step(market: OpenedMarket, server: MortalServer): Promise<void> {
    const isOpen = (await books({ ...market, holders: 0 })).market.status === 'open';
    await line.pass(isOpen ? TRADING_MS : STEP_MS, server);
    await server.tell({ order: 'run jobs' });
  }

  async function books({ id, holders, seqBeforeMarket }: OpenedMarket): Promise<MarketBooks> {
    const path = `/program/books?market=${id}&holders=${holders}&after=${seqBeforeMarket}`;
    const found = await ask<MarketBooks>(await line.server(), path);
    for (const { round, votes, decision } of knownRounds.get(id) ?? [])
      expect(found.rounds[round - 1]).toMatchObject({ round, votes, decision });
    knownRounds.set(
      id,
      found.rounds.filter(({ status }) => status !== 'asking'),
    );
    return found;
  }

  async function workUntil(
    market: OpenedMarket,
    isSo: (found: MarketBooks) => boolean,
  ): Promise<MarketBooks> {
    let found = await books(market);
    for (let steps = 0; !isSo(found); steps += 1) {
      if (steps > market.script.length + 2) throw new Error(`without an end: ${JSON.stringify(found)}`);
      await step(market, await line.server());
      found = await books(market);
    }
    return found;
  }

  async function checkRounds(market: OpenedMarket): Promise<void> {
    const { id, script, lost } = market;
    const { rounds } = await books({ ...market, holders: 0 });
    const asked = voters.asked(id);
    expect(asked.map(({ asked: { status } }) => status)).toEqual(asked.map(() => 'asking'));
    const numbers = rounds.flatMap(({ round }) => (round === lost ? [round, round] : [round]));
    expect(asked.map(({ asked: { round } }) => round)).toEqual(numbers);
    expect(rounds.map(({ round, status }) => [round, status])).toEqual(
      rounds.map((_, index) => [index + 1, 'followed']),
    );
    for (const { round, votes } of rounds) {
      const newest = asked.findLast((one) => one.asked.round === round)?.index;
      const said = votesOf(script[round - 1] ?? 'away', `asking ${newest}`);
      expect(votes).toEqual(said.map((vote) => expect.objectContaining(vote)));
    }
  }

  async function checkPayOut(market: OpenedMarket, outcome: 'YES' | 'NO'): Promise<void> {
    // On Postgres a fact can be read only after the relay has numbered it.
    await (await line.server()).tell({ order: 'run jobs' });
    const found = await books(market);
    expect(found.market).toMatchObject({
      status: 'resolved',
      pool: '0',
      owes: false,
      resolution: { outcome },
    });
    expect(found.state?.status).toBe('done');
    expect(found.unpaid).toBe(0);
    expect(found.payoutFacts).toBe(market.holders);
    const wins = (index: number): boolean => (index % 2 === 0) === (outcome === 'YES');
    expect(found.balances).toEqual(found.balances.map((_, index) => (wins(index) ? SHARE : '0')));
    await expectCleanAudit();
  }

  async function expectCleanAudit(): Promise<void> {
    expect(await operate(await line.server(), 'GET', '/audit')).toMatchObject({ ok: true, differences: [] });
  }

  async function checkMarket(market: OpenedMarket): Promise<void> {
    const { decision, rounds } = ruled(market.script.map((saying) => votesOf(saying, '')));
    const found = await workUntil(market, hasEnded);
    expect(found.rounds).toHaveLength(rounds);
    expect(found.rounds.at(-1)?.decision).toEqual(decision);
    await checkRounds(market);
    const expected = ['market.created', 'market.resolving'];
    if (decision.kind === 'decided') {
      expect(found.market.resolution).toEqual({ outcome: decision.outcome, method: 'oracle' });
      expect(found.facts).toEqual([...expected, 'market.resolved']);
      await checkPayOut(market, decision.outcome);
    } else {
      expect(found).toMatchObject({ unpaid: market.holders, payoutFacts: 0 });
      expect(found.facts).toEqual([...expected, 'market.escalated']);
      await expectCleanAudit();
    }
    await step(market, await line.server());
    expect(await books(market)).toEqual(found);
    await checkRounds(market);
  }

  return {
    ...line,
    voters,
    settings,
    open,
    dieAt,
    books,
    finish: (market) => workUntil(market, hasEnded),
    async work(market, until) {
      if (until === undefined) await step(market, await line.server());
      else await workUntil(market, ({ state }) => state?.status === until);
    },
    checkMarket,
    checkPayOut,
    checkRounds,
    async close() {
      await line.close();
      await voters.close();
    },
  };
}

function hasEnded({ market, state }: MarketBooks): boolean {
  return state?.status === 'escalated' || (market.status === 'resolved' && !market.owes);
}

export async function waitForLooks(server: MortalServer, times: number): Promise<void> {
  const looks = async (): Promise<number> =>
    (await ask<{ times: number }>(server, '/program/reached?step=after%20look')).times;
  const before = await looks();
  await until(async () => (await looks()) >= before + times, { what: 'that the server looks for markets' });
}
