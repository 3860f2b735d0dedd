/**
 * Trades of a closed loop on SQLite, without and with readers. Each reader reads a single market, because all trades to
 * 1,000 readers would be too many messages.
 */
import { median, printTable, type Goal } from '../report';
import { withSetup, workOf, type Programs, type Setup } from './measure';

const TRADERS = 64;
const MARKETS = 20;
const READERS = 1_000;
/** Slices without and with readers alternate and are short, because the speed of the machine changes. */
const SLICE_SECONDS = 0.8;
/** The ratio of a single pair is inexact, so the median needs many pairs. */
const FEWEST_SLICES = 15;
const WARM_UP_SECONDS = 1;
const CHANNELS = Array.from({ length: MARKETS }, (_, index) => `market:${index + 1}`);

interface Slice {
  serverMicros: number;
  readerMicros: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Trades, then waits until all messages have arrived, because messages on their way are work too. */
async function tradeFor({ server, readers, count }: Setup, seconds: number): Promise<number> {
  const { events } = await readers.ask({ op: 'reset' });
  const before = await server.ask({ op: 'figures' });
  const load = { op: 'load', clients: TRADERS, markets: MARKETS, seconds } as const;
  const { sentCount, tradesPerSecond } = await server.ask(load);
  const sent = sentCount - before.sentCount;
  await readers.ask({ op: 'await', events: events + (sent * count) / MARKETS });
  return tradesPerSecond;
}

async function measureSlice(setup: Setup): Promise<Slice> {
  let perSecond = 0;
  const { serverMicros, readerMicros, sentCount } = await workOf(setup, async () => {
    perSecond = await tradeFor(setup, SLICE_SECONDS);
  });
  const { p50Ms, p99Ms } = await setup.readers.ask({ op: 'figures' });
  return {
    serverMicros: serverMicros / sentCount,
    readerMicros: readerMicros / sentCount,
    perSecond,
    p50Ms,
    p99Ms,
  };
}

function row(what: string, slices: readonly Slice[]): string[] {
  const middle = (field: keyof Slice): number => median(slices.map((slice) => slice[field]));
  const [server, readers, rate] = [middle('serverMicros'), middle('readerMicros'), middle('perSecond')];
  const arrival = [middle('p50Ms'), middle('p99Ms')].map(String);
  return [what, server.toFixed(0), readers.toFixed(0), rate.toFixed(0), ...arrival];
}

/** Both servers run at the same time. While one is measured, the other is idle. */
async function takeTurns(setups: readonly [Setup, Setup], slices: number): Promise<[Slice[], Slice[]]> {
  const measured: [Slice[], Slice[]] = [[], []];
  for (const setup of setups) await tradeFor(setup, WARM_UP_SECONDS);
  for (let slice = 0; slice < slices; slice += 1) {
    // The order changes with each pair, so that neither side always goes first.
    const order = slice % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const side of order) measured[side].push(await measureSlice(setups[side]));
  }
  return measured;
}

export async function benchTradesBesideReaders(programs: Programs, seconds: number): Promise<Goal[]> {
  const slices = Math.max(FEWEST_SLICES, Math.ceil(seconds / SLICE_SECONDS));
  const wanted = { programs, variant: 'sqlite', channels: CHANNELS, yielding: true } as const;
  const [without, beside] = await withSetup({ ...wanted, readers: 0 }, (alone) =>
    withSetup({ ...wanted, readers: READERS }, (crowded) => takeTurns([alone, crowded], slices)),
  );
  console.log(`\n${TRADERS} traders on SQLite, ${MARKETS} markets; medians of ${slices} slices in turns`);
  const what = `with ${READERS} readers of single markets`;
  printTable(
    ['what', 'server CPU us a trade', 'readers CPU us a trade', 'trades/s', 'p50 ms', 'p99 ms'],
    [row('without readers', without), row(what, beside)],
  );
  const ratios = beside.map(({ perSecond }, index) => perSecond / (without[index]?.perSecond ?? NaN));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(`each pair: ${least.toFixed(2)} to ${most.toFixed(2)}`);
  return [{ what: `trades ${what}, to those without`, value: median(ratios), atLeast: 0.8 }];
}
