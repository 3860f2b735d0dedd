import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { testClock, TEST_START, type TestClock } from 'express-prediction-market/testing';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { SEQUENCER_LEASE_MS } from '../../src/live/sequencer';
import { MARKET_LEASE_MS } from '../../src/usecases/resolution/market-lease';
import { describeWith } from '../support/optional';
import { freshDatabase, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { startChild, type Child } from './support/child';
import { until } from '../support/until';

/** The default of `oracleTimeoutMs`, plus the lease of other steps. */
const ROUND_LEASE_MS = 90_000 + MARKET_LEASE_MS;

const START = Date.parse(TEST_START);
const DUE = START + 3_600_000;
const [HOLDER = ''] = CRASH_WALLETS;

interface Worker {
  child: Child;
  lines: string[];
  tell(...commands: string[]): void;
  asked(): string[];
  hasSaid(line: string): Promise<void>;
}

describeWith('postgres', 'jobs of two processes', () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let clock: TestClock;
  let pm: PredictionMarket;
  const workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await freshDatabase(server.url);
    clock = testClock(START);
    pm = createPredictionMarket({
      storage: postgresStorage({ url: database.url, pool: { max: 4 } }),
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: CRASH_CREATOR,
      clock,
      jobIntervalMs: 86_400_000,
    });
    await pm.start();
    await pm.approveCreator({ address: CRASH_CREATOR });
    await pm.deposit({ address: HOLDER, amount: 10_000, reference: 'holder' });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ child }) => child.kill()));
    await pm.close();
    await database.drop();
  });

  async function openMarkets(count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const market = await pm.createMarket({
        creator: CRASH_CREATOR,
        question: `Question ${index}`,
        resolutionCriteria: 'The oracle is told.',
        resolveDate: new Date(DUE).toISOString(),
        category: 'other',
      });
      ids.push(market.id);
    }
    const place = (market: number) => pm.placeTrade({ wallet: HOLDER, market, side: 'YES', shares: 10 });
    await Promise.all(ids.map(place));
    return ids;
  }

  async function startWorker(): Promise<Worker> {
    const child = startChild('test/postgres-operations/support/life-worker.ts', [
      database.url,
      String(clock.now()),
    ]);
    const lines: string[] = [];
    child.onLine((line) => lines.push(line));
    const worker: Worker = {
      child,
      lines,
      tell: (...commands) => void child.process.stdin?.write(`${commands.join('\n')}\n`),
      asked: () => lines.filter((line) => line.startsWith('asked ')).map((line) => line.slice(6)),
      hasSaid: (line) =>
        until(() => lines.includes(line), {
          what: () => `${line}; got ${lines.join(', ')} ${child.errors()}`,
        }),
    };
    workers.push(worker);
    await worker.hasSaid('ready');
    return worker;
  }

  const startWorkers = () => Promise.all([startWorker(), startWorker()]);

  async function expectSettledOnce(ids: number[], outcome: 'YES' | 'NO'): Promise<void> {
    for (const id of ids)
      expect(await pm.getMarket(id)).toMatchObject({ status: 'resolved', resolution: { outcome } });
    const { trades } = await pm.listWalletHistory({ wallet: HOLDER, limit: 100 });
    const settled = trades.filter((trade) => trade.type === 'settlement').map(({ marketId }) => marketId);
    expect(settled.sort((a, b) => a - b)).toEqual(ids);
    expect(await pm.audit()).toMatchObject({ ok: true, differences: [] });
  }

  it('handle each due market once', async () => {
    const ids = await openMarkets(40);
    const pair = await startWorkers();
    for (const worker of pair) worker.tell('answer YES', `clock ${DUE}`, 'run');
    await Promise.all(pair.map((worker) => worker.hasSaid('ran')));
    const asked = pair.flatMap((worker) => worker.asked());
    expect(asked.sort()).toEqual(ids.map((_, index) => `Question ${index}`).sort());
    await expectSettledOnce(ids, 'YES');
  });

  it('take over from a killed process when its lease ends, not before', async () => {
    const ids = await openMarkets(3);
    const [owner, heir] = await startWorkers();
    owner.tell('hold', `clock ${DUE}`, 'run');
    await until(() => owner.asked().length === ids.length, {
      what: () => `all questions, got ${owner.lines.join(', ')}`,
    });
    await owner.child.kill();

    heir.tell('answer YES', `clock ${DUE + ROUND_LEASE_MS - 1}`, 'run');
    await heir.hasSaid('ran');
    expect(heir.asked()).toEqual([]);
    heir.lines.length = 0;
    heir.tell(`clock ${DUE + ROUND_LEASE_MS}`, 'run');
    await heir.hasSaid('ran');
    expect(heir.asked()).toHaveLength(ids.length);
    await expectSettledOnce(ids, 'YES');
  });

  it('refuse what a process that was paused beyond its lease still wants to write', async () => {
    const ids = await openMarkets(2);
    const [paused, heir] = await startWorkers();
    paused.tell('answer YES', 'hold', `clock ${DUE}`, 'run');
    await until(() => paused.asked().length === ids.length, {
      what: () => `all questions, got ${paused.lines.join(', ')}`,
    });
    paused.tell('pause');
    await paused.hasSaid('paused');

    heir.tell('answer NO', `clock ${DUE + ROUND_LEASE_MS}`, 'run');
    await heir.hasSaid('ran');
    paused.child.process.kill('SIGCONT');
    paused.tell('release');
    await paused.hasSaid('ran');
    const refused = paused.lines.filter((line) => line.startsWith('logged the oracle answered after '));
    expect(refused).toHaveLength(ids.length);
    await expectSettledOnce(ids, 'NO');
  });

  it('pass on the events of one another, and take over the relay of a dead process when its lease ends', async () => {
    const [market = NaN] = await openMarkets(1);
    const [owner, heir] = await startWorkers();
    // Later than the end of a relay's lease that was taken at the start.
    const taken = START + 20_000;
    owner.tell(`clock ${taken}`, 'run');
    await owner.hasSaid('ran');
    await owner.child.kill();
    const trade = await pm.placeTrade({ wallet: HOLDER, market, side: 'NO', shares: 1 });

    heir.tell(`clock ${taken + SEQUENCER_LEASE_MS - 1}`, 'run');
    await heir.hasSaid('ran');
    expect(await unnumberedEvents()).toBeGreaterThan(0);
    expect(heir.lines).not.toContain(`heard ${trade.id}`);
    // A process that has found the lease taken waits for a second before the next attempt.
    heir.tell(`clock ${taken + SEQUENCER_LEASE_MS + 1_000}`, 'run');
    await heir.hasSaid(`heard ${trade.id}`);
    expect(await unnumberedEvents()).toBe(0);
  });

  async function unnumberedEvents(): Promise<number> {
    const client = await openRawPostgres(database.url);
    const { rows } = await client.query<{ count: number }>(
      'SELECT coalesce(sum(size), 0)::int AS count FROM prediction_market.event_batches WHERE first_seq IS NULL',
    );
    await client.end();
    return rows[0]?.count ?? NaN;
  }
});
