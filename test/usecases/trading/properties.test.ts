import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { walletAccount } from '../../../src/domain/ledger';
import { usdToMicros } from '../../../src/domain/money';
import type { Address, Market } from '../../../src/domain/types';
import type { PlaceTradeCommand } from '../../../src/usecases/commands';
import { createTradeQueue } from '../../../src/usecases/trading/trade-queue';
import type { ExecutedTradeView } from '../../../src/views/trade';
import { onEachStorage, type StorageGround } from '../../support/storages';
import { CREATOR, createWorld, order, wallet, type World } from './support';

const MARKETS = 3;
const FUNDS = 300;
const B = 100_000_000;
const WALLETS: Address[] = [...[1, 2, 3, 4].map(wallet), CREATOR];
const FEE = 0.005;

const size = (action: 'buy' | 'sell'): fc.Arbitrary<PlaceTradeCommand['size']> => {
  const micros = fc.oneof(
    fc.bigInt({ min: 1n, max: 20_000n }),
    fc.bigInt({ min: 1n, max: 60_000_000n }),
    fc.bigInt({ min: 1n, max: 600_000_000n }),
  );
  const shares = micros.map((value) => ({ shares: value }));
  return action === 'buy'
    ? fc.oneof(
        shares,
        micros.map((amount) => ({ amount })),
      )
    : fc.oneof(shares, fc.constant('all' as const));
};

const anyOrder: fc.Arbitrary<PlaceTradeCommand> = fc
  .constantFrom('buy' as const, 'sell' as const)
  .chain((action) =>
    fc.record({
      action: fc.constant(action),
      size: size(action),
      wallet: fc.constantFrom(...WALLETS),
      market: fc.integer({ min: 1, max: MARKETS }).map(String),
      side: fc.constantFrom('YES' as const, 'NO' as const),
      bounds: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 999_999n }).map((maxPrice) => ({ maxPrice })) },
        {
          weight: 1,
          arbitrary: fc.bigInt({ min: 1n, max: 60_000_000n }).map((minShares) => ({ minShares })),
        },
      ),
      idempotencyKey: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }).map((number) => `key ${number}`) },
      ),
    }),
  );

const bursts = fc.array(fc.array(anyOrder, { minLength: 1, maxLength: 12, size: 'max' }), {
  minLength: 10,
  maxLength: 70,
  size: 'max',
});

/** The cost function C(q) in micro-USD, as a float. Its error is far below a base unit for the sizes here. */
function cost(yes: bigint, no: bigint): number {
  const [high, low] = yes > no ? [Number(yes), Number(no)] : [Number(no), Number(yes)];
  return high + B * Math.log1p(Math.exp((low - high) / B));
}

class Model {
  readonly balances = new Map(WALLETS.map((one) => [one, BigInt(FUNDS) * 1_000_000n]));
  readonly shares = new Map<string, bigint>();
  readonly pools = new Map<string, bigint>();
  trades = 0;

  apply(command: PlaceTradeCommand, view: ExecutedTradeView): void {
    const { wallet: trader, market, side, action } = command;
    const total = usdToMicros(view.totalCost);
    const fee = usdToMicros(view.fee);
    const shares = usdToMicros(view.shares);
    const bought = action === 'buy';
    const notional = bought ? total - fee : total + fee;
    const before = this.poolCost(market);
    this.add(this.balances, trader, bought ? -total : total);
    expect(this.balances.get(trader)).toBe(usdToMicros(view.balance) - (trader === CREATOR ? fee : 0n));
    this.add(this.balances, CREATOR, fee);
    this.add(this.shares, `${market} ${side} ${trader}`, bought ? shares : -shares);
    this.add(this.pools, market, bought ? notional : -notional);
    this.trades += 1;
    this.judgePrice(notional, fee, (this.poolCost(market) - before) * (bought ? 1 : -1), bought);
    expect(this.balances.get(trader)).toBeGreaterThanOrEqual(0n);
    expect(view.position.shares).toBe(Number(this.shares.get(`${market} ${side} ${trader}`)) / 1e6);
  }

  private judgePrice(notional: bigint, fee: bigint, exact: number, bought: boolean): void {
    const gain = bought ? Number(notional) - exact : exact - Number(notional);
    expect(gain).toBeGreaterThan(-0.01);
    expect(gain).toBeLessThan(2);
    expect(fee).toBe(BigInt(Math.ceil(Number((Number(notional) * FEE).toFixed(6)))));
  }

  outstanding(market: string, side: 'YES' | 'NO'): bigint {
    return WALLETS.reduce((sum, one) => sum + (this.shares.get(`${market} ${side} ${one}`) ?? 0n), 0n);
  }

  poolCost(market: string): number {
    return cost(this.outstanding(market, 'YES'), this.outstanding(market, 'NO')) - cost(0n, 0n);
  }

  private add<Key>(map: Map<Key, bigint>, key: Key, amount: bigint): void {
    map.set(key, (map.get(key) ?? 0n) + amount);
  }
}

async function compare(world: World, model: Model): Promise<void> {
  const markets = await world.storage.read((reader) => reader.markets.findByIds([1, 2, 3]));
  for (const market of markets) compareMarket(market, model);
  let money = markets.reduce((sum, market) => sum + market.pool, 0n);
  for (const [address, balance] of model.balances) {
    const account = await world.storage.read((reader) => reader.accounts.find(walletAccount(address)));
    expect(account?.balance).toBe(balance);
    money += balance;
  }
  expect(money).toBe(BigInt(FUNDS * WALLETS.length) * 1_000_000n);
  const findings = await world.audit();
  expect(findings.differences).toEqual([]);
  expect(findings.external).toBe(-money);
}

function compareMarket(market: Market, model: Model): void {
  const name = String(market.id);
  expect(market.sharesYes).toBe(model.outstanding(name, 'YES'));
  expect(market.sharesNo).toBe(model.outstanding(name, 'NO'));
  expect(market.pool).toBe(model.pools.get(name) ?? 0n);
  const surplus = Number(market.pool) - model.poolCost(name);
  expect(surplus).toBeGreaterThan(-0.01);
  expect(surplus).toBeLessThan(2 * market.tradeCount + 0.01);
  const owed = market.sharesYes > market.sharesNo ? market.sharesYes : market.sharesNo;
  expect(Number(owed - market.pool)).toBeLessThanOrEqual(B * Math.LN2);
}

async function inTradingWorld(
  { create }: StorageGround,
  test: (world: World) => Promise<void>,
): Promise<void> {
  const home = await create();
  const storage = home.handle();
  const world = await createWorld({}, undefined, storage);
  try {
    for (let market = 1; market <= MARKETS; market += 1) await world.openMarket();
    for (const one of WALLETS) await world.fund(one, FUNDS);
    await test(world);
  } finally {
    await storage.close();
    await home.destroy();
  }
}

onEachStorage('Trading, against a plain model', (ground) => {
  const runs = ground.name === 'memory' ? { model: 40, roundTrips: 60 } : { model: 10, roundTrips: 15 };

  it('keeps every balance, share and pool through any trades', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, (plan) =>
        inTradingWorld(ground, async (world) => {
          const queue = createTradeQueue(world.context);
          const model = new Model();
          for (const burst of plan) {
            const outcomes = await Promise.allSettled(burst.map((command) => queue.place(command)));
            outcomes.forEach((outcome, index) => {
              const command = burst[index];
              if (command === undefined || outcome.status === 'rejected' || outcome.value.replayed) return;
              model.apply(command, outcome.value.view);
            });
          }
          await compare(world, model);
        }),
      ),
      { numRuns: runs.model },
    );
  });

  it('gives no wallet a profit from going in and out alone', async () => {
    const steps = fc.array(anyOrder, { minLength: 1, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, (plan) =>
        inTradingWorld(ground, async (world) => {
          const queue = createTradeQueue(world.context);
          const alone = plan.map((command) => ({ ...command, wallet: wallet(1), idempotencyKey: null }));
          const out = [1, 2, 3].flatMap((market) =>
            (['YES', 'NO'] as const).map((side) =>
              order({ wallet: wallet(1), market: String(market), side, action: 'sell', size: 'all' }),
            ),
          );
          await Promise.allSettled([...alone, ...out].map((command) => queue.place(command)));
          const account = await world.storage.read((reader) =>
            reader.accounts.find(walletAccount(wallet(1))),
          );
          expect(account?.openPositions).toBe(0);
          expect(account?.balance).toBeLessThanOrEqual(BigInt(FUNDS) * 1_000_000n);
        }),
      ),
      { numRuns: runs.roundTrips },
    );
  });
});
