import type { PredictionMarket } from '../../../src/create-prediction-market';
import { usdToMicros } from '../../../src/domain/money';
import type { Side } from '../../../src/domain/types';
import type { Storage } from '../../../src/ports/storage';
import type { PositionView } from '../../../src/views/position';
import { ceilOf } from '../../domain/support/exact';
import { outstanding, type Holding, type Model, type ModelMarket } from './model';
import { atLeast, atMost, same } from './holds';

const SIDES = ['YES', 'NO'] as const satisfies Side[];
const PAGE = 100;

export async function compareAll(
  pm: PredictionMarket,
  storage: Storage,
  model: Model,
  wallets: readonly string[],
): Promise<void> {
  await compareAudit(pm, model);
  await compareEntries(storage, model);
  for (const market of model.markets) await compareMarket(pm, model, market);
  for (const wallet of wallets) await comparePositions(pm, model, wallet);
  for (const wallet of wallets) await compareAccount(pm, model, wallet);
}

async function compareAudit(pm: PredictionMarket, model: Model): Promise<void> {
  const audit = await pm.audit();
  expect(audit.differences).toEqual([]);
  same(audit.ok, true);
  same(audit.checked.markets, model.markets.length);
  same(usdToMicros(audit.treasury), model.treasury);
  same(usdToMicros(audit.external), -model.deposited);
  // The wallets, the pools and the treasury together hold all money that came in.
  let everything = model.treasury;
  for (const balance of model.balances.values()) everything += balance;
  for (const { pool } of model.markets) everything += pool;
  same(everything, model.deposited);
}

async function compareEntries(storage: Storage, model: Model): Promise<void> {
  for (const [reference, expected] of model.entries) {
    const posting = await storage.read((reader) => reader.postings.find(reference));
    const found = new Map<string, bigint>();
    for (const { account, amount } of posting?.entries ?? []) {
      found.set(account, (found.get(account) ?? 0n) + amount);
    }
    expect([reference, found]).toEqual([reference, expected]);
    same(
      [...found.values()].reduce((sum, amount) => sum + amount, 0n),
      0n,
    );
  }
  model.entries.clear();
}

async function compareMarket(pm: PredictionMarket, model: Model, market: ModelMarket): Promise<void> {
  const view = await pm.getMarket(market.id);
  same(usdToMicros(view.volume), market.volume);
  same(usdToMicros(view.liquidity), market.pool);
  same(view.status, market.status === 'open' && !model.isTrading(market) ? 'resolving' : market.status);
  same(view.resolution?.outcome ?? null, market.outcome);
  const { total } = await pm.listTrades({ market: market.id, limit: 1 });
  same(total, market.trades);
  if (market.status !== 'resolved') comparePool(market);
}

/** Each trade rounds by at most two base units in favour of the pool. The worst loss of a market is b ln 2. */
function comparePool(market: ModelMarket): void {
  atLeast(market.pool, ceilOf(market.exactPool));
  atMost(market.pool, ceilOf(market.exactPool) + BigInt(2 * market.trades));
  for (const side of SIDES) {
    const loss = outstanding(market, side) - market.pool;
    atMost(Number(loss), Number(market.b) * Math.LN2);
  }
}

async function compareAccount(pm: PredictionMarket, model: Model, wallet: string): Promise<void> {
  let sum = 0n;
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = await pm.listWalletHistory({ wallet, limit: PAGE, offset });
    for (const { action, totalCost } of page.trades)
      sum += action === 'buy' ? -usdToMicros(totalCost) : usdToMicros(totalCost);
    total = page.total;
  }
  for (let offset = 0, hasMore = true; hasMore; offset += PAGE) {
    const page = await pm.listDeposits({ wallet, limit: PAGE, offset });
    for (const { amount } of page.deposits) sum += usdToMicros(amount);
    ({ hasMore } = page);
  }
  let earned = 0n;
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = await pm.listEarnings({ wallet, limit: PAGE, offset });
    for (const market of page.markets) {
      same(usdToMicros(market.fees), model.markets.find(({ id }) => id === market.id)?.creatorFees ?? -1n);
      earned += usdToMicros(market.fees);
    }
    if (offset + PAGE >= page.total) same(usdToMicros(page.fees), earned);
    total = page.total;
  }
  same(sum + earned, model.balances.get(wallet) ?? 0n);
}

async function comparePositions(pm: PredictionMarket, model: Model, wallet: string): Promise<void> {
  const held = heldBy(model, wallet);
  const seen = new Map<string, PositionView>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = await pm.listPositions({ wallet, status: 'all', limit: PAGE, offset });
    for (const position of page.positions) seen.set(`${position.marketId} ${position.side}`, position);
    total = page.total;
  }
  expect([...seen.keys()].sort()).toEqual([...held.keys()].sort());
  for (const [name, { shares, costBasis, realizedPnl, feesPaid }] of held) {
    const position = seen.get(name);
    for (const [found, expected] of [
      [position?.shares, shares],
      [position?.costBasis, costBasis],
      [position?.realizedPnl, realizedPnl],
      [position?.feesPaid, feesPaid],
    ] as const)
      same(usdToMicros(found ?? Number.NaN), expected);
  }
}

function heldBy(model: Model, wallet: string): Map<string, Holding> {
  const held = new Map<string, Holding>();
  for (const market of model.markets) {
    for (const side of SIDES) {
      const holding = market.holdings[side].get(wallet);
      if (holding !== undefined) held.set(`${market.id} ${side}`, holding);
    }
  }
  return held;
}
