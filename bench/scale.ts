/**
 * The cost of reads and of a trade with a thousand markets and with a million (BENCH_SCALE_MARKETS), with
 * five times as many trades. Both databases are measured in the same run: calls to them alternate, each with
 * other markets and wallets. The result is the ratio of the medians.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPredictionMarket,
  type ListMarketsInput,
  type PredictionMarket,
} from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { environmentLine, median, printTable } from './report';
import { seedScale, walletAddress, type Seeded } from './scale-seed';

const SMALL = 1_000;
const LARGE = Number(process.env.BENCH_SCALE_MARKETS ?? 1_000_000);
const CALLS = Number(process.env.BENCH_SCALE_CALLS ?? 200);
const WARM_UP = 20;
/**
 * A folder that keeps the large database for the next run. Without this folder, the database is deleted after
 * the run.
 */
const FOLDER = process.env.BENCH_SCALE_FOLDER;

/** `market` and `wallet` differ from call to call. */
type Call = (pm: PredictionMarket, at: { market: number; wallet: string; call: number }) => Promise<unknown>;

const slugOf = (market: number): string => `market-number-${String(market).padStart(9, '0')}`;
const HOT_MARKET = 1;
const HOT_WALLET = walletAddress(1);

const FILTERS: Record<string, Pick<ListMarketsInput, 'status' | 'category'>> = {
  all: {},
  open: { status: 'open' },
  resolving: { status: 'resolving' },
  resolved: { status: 'resolved' },
  crypto: { category: 'crypto' },
  'open crypto': { status: 'open', category: 'crypto' },
};
const LISTS = (['volume_desc', 'created_desc', 'resolve_asc'] as const).flatMap((sort) =>
  Object.entries(FILTERS).map(
    ([name, filter]) =>
      [`list ${sort}, ${name}`, ((pm) => pm.listMarkets({ sort, ...filter })) satisfies Call] as const,
  ),
);

const CALLED: readonly (readonly [string, Call])[] = [
  ...LISTS,
  ['list volume_desc, offset 100', (pm) => pm.listMarkets({ offset: 100 })],
  ['market by id', (pm, { market }) => pm.getMarket(market)],
  ['market by ticker', (pm, { market }) => pm.getMarket(`PM-${String(market).padStart(4, '0')}`)],
  ['market by slug', (pm, { market }) => pm.getMarket(slugOf(market))],
  ['trades and total', (pm, { market }) => pm.listTrades({ market })],
  ['trades and total, busiest market', (pm) => pm.listTrades({ market: HOT_MARKET })],
  ['trades of a side, busiest market', (pm) => pm.listTrades({ market: HOT_MARKET, side: 'NO' })],
  ['candles 1h', (pm, { market }) => pm.getPriceHistory({ market, interval: '1h', limit: 100 })],
  [
    'candles 1m, busiest market',
    (pm) => pm.getPriceHistory({ market: HOT_MARKET, interval: '1m', limit: 100 }),
  ],
  ['price and quote', (pm, { market }) => pm.getPrice({ market, side: 'YES', amount: 10 })],
  ['positions', (pm, { wallet }) => pm.listPositions({ wallet })],
  ['positions, all, busiest wallet', (pm) => pm.listPositions({ wallet: HOT_WALLET, status: 'all' })],
  ['history', (pm, { wallet }) => pm.listWalletHistory({ wallet })],
  ['history, busiest wallet', (pm) => pm.listWalletHistory({ wallet: HOT_WALLET })],
  ['balance', (pm, { wallet }) => pm.getBalance({ wallet })],
  [
    'one trade',
    (pm, { market, wallet, call }) =>
      pm.placeTrade({ wallet, market, side: call % 2 === 0 ? 'YES' : 'NO', amount: 1 }),
  ],
];

interface Subject {
  pm: PredictionMarket;
  seeded: Seeded;
}

export async function benchScale(): Promise<void> {
  console.log(environmentLine(`${SMALL} and ${LARGE} markets on SQLite, ${CALLS} calls each`));
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-scale-'));
  try {
    const small = await subject(join(folder, 'small.db'), SMALL);
    const audit = await small.pm.audit();
    if (!audit.ok) throw new Error(`the seed is not sound: ${JSON.stringify(audit.differences.slice(0, 3))}`);
    const large = await subject(join(FOLDER ?? folder, `markets-${LARGE}.db`), LARGE);
    const rows: string[][] = [];
    for (const [name, call] of CALLED) rows.push(await compare(name, call, small, large));
    printTable(['call', `${SMALL} markets`, `${LARGE} markets`, 'ratio'], rows);
    await small.pm.close();
    await large.pm.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function subject(file: string, markets: number): Promise<Subject> {
  const trades = markets * 5;
  const seeded = existsSync(file)
    ? { file, markets, trades, wallets: Math.max(10, trades / 50), seconds: 0 }
    : await seedScale(file, markets, Date.now());
  const size = (statSync(file).size / 2 ** 20).toFixed(0);
  console.log(`${markets} markets, ${trades} trades: ${size} MiB, seeded in ${seeded.seconds.toFixed(0)} s`);
  const pm = createPredictionMarket({
    storage: sqliteStorage({ file }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: walletAddress(7),
    jobIntervalMs: 86_400_000,
  });
  await pm.start();
  return { pm, seeded };
}

async function compare(name: string, call: Call, small: Subject, large: Subject): Promise<string[]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + CALLS; round += 1) {
    for (const [index, one] of [small, large].entries()) {
      const began = performance.now();
      await call(one.pm, argumentsOf(one.seeded, round));
      if (round >= WARM_UP) times[index === 0 ? 0 : 1].push(performance.now() - began);
    }
  }
  const [before, after] = [median(times[0]), median(times[1])];
  return [name, `${before.toFixed(2)} ms`, `${after.toFixed(2)} ms`, (after / before).toFixed(2)];
}

/**
 * The market and the wallet of a call, without the busiest market and the busiest wallet. Every run has the same calls.
 */
function argumentsOf({ markets, wallets }: Seeded, call: number) {
  const open = Math.floor((markets * 8) / 10);
  const market = 2 + ((call * 15_485_863) % (open - 1));
  const wallet = walletAddress(2 + ((call * 32_452_843) % (wallets - 1)));
  return { market, wallet, call };
}
