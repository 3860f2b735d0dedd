/**
 * Trades of a closed loop on SQLite, without and with readers. The readers read single markets, because no
 * machine sends 1,000 readers all trades of a closed loop.
 */
import { median, printTable, type Goal } from '../report';
import { withSetup, workOf, type Programs } from './measure';

const TRADERS = 64;
const MARKETS = 20;
const READERS = 1_000;
/** Runs without and with readers take turns, because the speed of the machine changes. */
const ROUNDS = 3;
const WARM_UP_SECONDS = 1;

interface Traded {
  /** The CPU time for each trade, of the server and of the readers. */
  serverMicros: number;
  readerMicros: number;
  perSecond: number;
  /** The time from a trade to its arrival at a reader. */
  p50Ms: number;
  p99Ms: number;
}

async function trade(programs: Programs, readers: number, seconds: number): Promise<Traded> {
  const channels = Array.from({ length: MARKETS }, (_, index) => `market:${index + 1}`);
  const wanted = { programs, variant: 'sqlite', readers, channels, yielding: true } as const;
  return withSetup(wanted, async (setup) => {
    const load = { op: 'load', clients: TRADERS, markets: MARKETS } as const;
    /** Trades, then waits until all messages have arrived, because messages on their way are work too. */
    const tradeFor = async (lasting: number): Promise<number> => {
      const { sentCount, tradesPerSecond } = await setup.server.ask({ ...load, seconds: lasting });
      // Each market has the same number of trades and the same number of readers.
      await setup.readers.ask({ op: 'await', events: (sentCount * readers) / MARKETS });
      return tradesPerSecond;
    };
    await tradeFor(WARM_UP_SECONDS);
    await setup.readers.ask({ op: 'reset' });
    let perSecond = 0;
    const { serverMicros, readerMicros, sentCount } = await workOf(setup, async () => {
      perSecond = await tradeFor(seconds);
    });
    const { p50Ms, p99Ms } = await setup.readers.ask({ op: 'figures' });
    return {
      serverMicros: serverMicros / sentCount,
      readerMicros: readerMicros / sentCount,
      perSecond,
      p50Ms,
      p99Ms,
    };
  });
}

function row(what: string, rounds: readonly Traded[]): string[] {
  const middle = (field: keyof Traded): number => median(rounds.map((round) => round[field]));
  const [server, readers, rate] = [middle('serverMicros'), middle('readerMicros'), middle('perSecond')];
  const arrival = [middle('p50Ms'), middle('p99Ms')].map(String);
  return [what, server.toFixed(0), readers.toFixed(0), rate.toFixed(0), ...arrival];
}

export async function benchTradesBesideReaders(programs: Programs, seconds: number): Promise<Goal[]> {
  const without: Traded[] = [];
  const beside: Traded[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await trade(programs, 0, seconds));
    beside.push(await trade(programs, READERS, seconds));
  }
  console.log(`\n${TRADERS} traders on SQLite, ${MARKETS} markets; medians of ${ROUNDS} rounds`);
  const what = `with ${READERS} readers of single markets`;
  printTable(
    ['what', 'server CPU us a trade', 'readers CPU us a trade', 'trades/s', 'p50 ms', 'p99 ms'],
    [row('without readers', without), row(what, beside)],
  );
  const ratios = beside.map(({ perSecond }, index) => perSecond / (without[index]?.perSecond ?? NaN));
  return [{ what: `trades ${what}, to those without`, value: median(ratios), atLeast: 0.8 }];
}
