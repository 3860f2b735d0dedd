/**
 * Fills empty books with markets and weeks of trades, hour by hour, through the ordinary calls. The clock is set
 * to each hour, so that candles, histories and the audit are those of a market that has run for as long.
 */
import {
  isPredictionMarketError,
  type ErrorCode,
  type PlaceTradeInput,
  type PredictionMarket,
} from 'express-prediction-market';
import { testWallet, type TestClock } from 'express-prediction-market/testing';
import { chanceOf, type Chance } from './chance';
import { SAMPLE_MARKETS, type SampleMarket } from './markets';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far the belief of all traders moves in an hour, as log-odds. */
const DRIFT = 0.06;
/** How far the traders differ from each other, as log-odds. */
const DISAGREEMENT = 0.5;
const TRADERS = 24;
/** Stands in the operators' log beside the deposits, approvals and resolutions of the sample. */
const SAMPLE_OPERATOR = { operator: 'sample markets' };
const CREATORS = ['Harbour Gazette', 'Hill Observatory', 'Old Mill Sessions'];
/** Expected refusals. A trade that is refused with such a code is left out. */
const EXPECTED: readonly ErrorCode[] = [
  'PRICE_LIMIT',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_SHARES',
  'MARKET_CLOSED',
];

type ResolveInput = Parameters<PredictionMarket['resolveMarket']>[0];

export interface Filling {
  market: PredictionMarket;
  /** The clock of the market. `fillBooks` sets it to past hours, and after the last hour to the present. */
  clock: TestClock;
  seed: number;
  /** Called before each hour, and at the end. The next hour is filled when the promise fulfils. */
  onHour(finished: number, total: number): void | Promise<void>;
  /** Once it is aborted, `fillBooks` rejects before the next hour. */
  signal?: AbortSignal;
}

export interface Filled {
  markets: number;
  resolved: number;
  trades: number;
  wallets: number;
  from: string;
  to: string;
}

interface OpenMarket {
  sample: SampleMarket;
  /** `null` until the market is opened, and after it is resolved. */
  id: number | null;
  isOver: boolean;
  opensAt: number;
  endsAt: number;
  /**
   * Never in the past, because a running server would then close the market before its trades are placed. A
   * market whose trading has ended counts as decided early.
   */
  resolveDate: number;
  /** The log-odds of YES that the traders believe in. */
  belief: number;
  yesPrice: number;
}

export async function fillBooks({ market, clock, seed, onHour, signal }: Filling): Promise<Filled> {
  const end = clock.now();
  const chance = chanceOf(seed);
  const markets = SAMPLE_MARKETS.map((sample) => scheduled(sample, end));
  const start = Math.min(...markets.map(({ opensAt }) => opensAt)) - HOUR_MS;
  clock.set(start);
  const people = await introducePeople(market, chance);
  const hours = Math.floor((end - start) / HOUR_MS);
  const filled = { markets: markets.length, resolved: 0, trades: 0, wallets: people.traders.length };
  for (let hour = 0; hour < hours; hour += 1) {
    signal?.throwIfAborted();
    await onHour(hour, hours);
    const now = start + hour * HOUR_MS + Math.floor(chance.between(0, 50)) * MINUTE_MS;
    clock.set(now);
    filled.resolved += await resolveThoseThatEnded(market, markets, now, chance);
    await openThoseThatBegin(market, markets, now, chance.oneOf(people.creators));
    filled.trades += await tradeForAnHour(market, markets, people.traders, now, chance);
  }
  clock.set(end);
  await onHour(hours, hours);
  return { ...filled, from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

function scheduled(sample: SampleMarket, end: number): OpenMarket {
  const { belief, openedDaysAgo, endsInMinutes } = sample;
  const opensAt = end - openedDaysAgo * DAY_MS;
  const endsAt = end + endsInMinutes * MINUTE_MS;
  const times = { opensAt, endsAt, resolveDate: endsAt < end ? end + HOUR_MS : endsAt };
  return {
    sample,
    id: null,
    isOver: false,
    ...times,
    belief: Math.log(belief / (1 - belief)),
    yesPrice: 0.5,
  };
}

/** The wallets are test wallets, whose keys follow from public names: `testWallet('sample trader 1')` is a trader. */
async function introducePeople(market: PredictionMarket, chance: Chance) {
  const creators: string[] = [];
  for (const displayName of CREATORS) creators.push(await apply(market, displayName));
  const traders = Array.from(
    { length: TRADERS },
    (_, index) => testWallet(`sample trader ${index + 1}`).address,
  );
  for (const address of traders) {
    const amount = Math.round(chance.between(200, 2_000));
    await market.deposit({ address, amount, reference: `sample: ${address}` }, SAMPLE_OPERATOR);
  }
  return { traders, creators };
}

async function apply(market: PredictionMarket, displayName: string): Promise<string> {
  const wallet = testWallet(`sample ${displayName}`);
  const { address } = wallet;
  const { message, nonce } = await market.issueChallenge({ address, action: 'apply' });
  const signature = await wallet.signMessage(message);
  await market.applyAsCreator({
    address,
    message,
    nonce,
    signature,
    displayName,
    statement: 'A sample creator.',
  });
  await market.approveCreator({ address }, SAMPLE_OPERATOR);
  return address;
}

async function openThoseThatBegin(
  market: PredictionMarket,
  markets: readonly OpenMarket[],
  now: number,
  creator: string,
): Promise<void> {
  for (const each of markets.filter(({ id, isOver, opensAt }) => id === null && !isOver && opensAt <= now)) {
    const { question, category, criteria } = each.sample;
    const { id } = await market.createMarket({
      ...{ creator, question, category, resolutionCriteria: criteria },
      resolveDate: new Date(each.resolveDate).toISOString(),
    });
    each.id = id;
  }
}

/**
 * Resolves the markets that have ended. YES has the probability in which the traders believe. This also pays
 * the winners.
 */
async function resolveThoseThatEnded(
  market: PredictionMarket,
  markets: readonly OpenMarket[],
  now: number,
  chance: Chance,
): Promise<number> {
  const ended = markets.filter(({ id, endsAt }) => id !== null && endsAt <= now);
  for (const each of ended) {
    if (each.id === null) continue;
    const outcome = chance.fraction() < probability(each.belief) ? 'YES' : 'NO';
    await resolve(market, { market: each.id, outcome, note: 'A sample market.' });
    Object.assign(each, { id: null, isOver: true });
  }
  return ended.length;
}

/** Resolves the market, unless an operator or the oracle of a running server has done so before. */
async function resolve(market: PredictionMarket, input: ResolveInput): Promise<void> {
  try {
    await market.resolveMarket(input, SAMPLE_OPERATOR);
  } catch (error) {
    if (!isPredictionMarketError(error) || error.code !== 'ALREADY_RESOLVED') throw error;
  }
}

const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** All orders of an hour are placed at once, so that the trade queue can decide them in one batch. */
async function tradeForAnHour(
  market: PredictionMarket,
  markets: readonly OpenMarket[],
  traders: readonly string[],
  now: number,
  chance: Chance,
): Promise<number> {
  const orders: Promise<boolean>[] = [];
  for (const each of markets) {
    if (each.id === null || each.endsAt <= now) continue;
    each.belief += DRIFT * chance.nearZero();
    const isLively = chance.fraction() < 0.22;
    const count = isLively ? 1 + Math.floor(chance.fraction() * 3) : 0;
    for (let index = 0; index < count; index += 1)
      orders.push(place(market, each, orderOf(each, each.id, chance.oneOf(traders), chance)));
  }
  return (await Promise.all(orders)).filter((isDone) => isDone).length;
}

/** A trader buys the side that is cheaper than the trader believes, or sells all shares of the other side. */
function orderOf(each: OpenMarket, id: number, wallet: string, chance: Chance): PlaceTradeInput {
  const believed = probability(each.belief + DISAGREEMENT * chance.nearZero());
  const side = believed > each.yesPrice ? 'YES' : 'NO';
  const other = side === 'YES' ? 'NO' : 'YES';
  if (chance.fraction() < 0.15) return { wallet, market: id, side: other, action: 'sell', shares: 'all' };
  const conviction = Math.min(1, Math.abs(believed - each.yesPrice) * 4);
  const amount = Math.max(1, Math.round(chance.between(2, 40) * conviction));
  return { wallet, market: id, side, amount };
}

async function place(market: PredictionMarket, each: OpenMarket, order: PlaceTradeInput): Promise<boolean> {
  try {
    each.yesPrice = (await market.placeTrade(order)).yesPrice;
    return true;
  } catch (error) {
    if (isPredictionMarketError(error) && EXPECTED.includes(error.code)) return false;
    throw error;
  }
}
