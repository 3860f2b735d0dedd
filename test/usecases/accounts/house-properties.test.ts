import fc from 'fast-check';
import { lmsr } from '../../../src/domain/lmsr';
import { usdToMicros } from '../../../src/domain/money';
import type { Outcome, Side } from '../../../src/domain/types';
import type { ExecutedTradeView } from '../../../src/views/trade';
import { audit } from '../../../src/usecases/accounts/audit';
import { depositToTreasury } from '../../../src/usecases/accounts/deposit';
import { getTreasury } from '../../../src/usecases/accounts/get-treasury';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { createTradeQueue } from '../../../src/usecases/trading/trade-queue';
import { createWorld, order, outcomeOf, wallet, type World } from '../trading/support';

const USD = 1_000_000n;
const LIMIT = 200;
const WORST = lmsr.worstLoss(100n * USD);
const TRADERS = [wallet(1), wallet(2)];

type Step =
  | { kind: 'create' }
  | { kind: 'trade'; market: number; trader: number; side: Side; action: 'buy' | 'sell'; shares: number }
  | { kind: 'resolve'; market: number; outcome: Outcome }
  | { kind: 'put in'; usd: number };

const market = fc.nat(5);
const side = fc.constantFrom<Side>('YES', 'NO');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      market,
      trader: fc.nat(TRADERS.length - 1),
      side,
      action: fc.constantFrom('buy' as const, 'buy' as const, 'buy' as const, 'sell' as const),
      shares: fc.constantFrom(1, 30, 200, 459),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      market,
      outcome: fc.constantFrom<Outcome>('YES', 'NO', 'VOID'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('put in' as const), usd: fc.integer({ min: 1, max: 90 }) }),
  },
);

interface ModelMarket {
  id: string;
  pool: bigint;
  /** In micro-shares, by side and trader. */
  held: Map<string, { side: Side; shares: bigint }>;
}

class Model {
  readonly open: ModelMarket[] = [];
  putIn = 0n;
  lost = 0n;

  exposure(): bigint {
    return BigInt(this.open.length) * WORST;
  }

  hasRoom(): boolean {
    return this.exposure() + WORST + this.lost <= BigInt(LIMIT) * USD + this.putIn;
  }

  trade(traded: ModelMarket, trader: number, action: 'buy' | 'sell', view: ExecutedTradeView): void {
    const [total, fee, shares] = [view.totalCost, view.fee, view.shares].map(usdToMicros) as [
      bigint,
      bigint,
      bigint,
    ];
    const bought = action === 'buy';
    traded.pool += bought ? total - fee : -(total + fee);
    const key = `${view.side} ${trader}`;
    const before = traded.held.get(key)?.shares ?? 0n;
    traded.held.set(key, { side: view.side, shares: before + (bought ? shares : -shares) });
  }

  resolve(index: number, outcome: Outcome): void {
    const [resolved] = this.open.splice(index, 1);
    let owed = 0n;
    for (const held of resolved?.held.values() ?? []) {
      if (outcome === 'VOID') owed += held.shares / 2n;
      else if (held.side === outcome) owed += held.shares;
    }
    this.lost += owed - (resolved?.pool ?? 0n);
  }
}

async function take(
  world: World,
  queue: ReturnType<typeof createTradeQueue>,
  model: Model,
  one: Step,
): Promise<void> {
  const { context } = world;
  switch (one.kind) {
    case 'create': {
      const expected = model.hasRoom();
      const outcome = await outcomeOf(world.openMarket());
      expect(outcome).toMatchObject(expected ? { value: { status: 'open' } } : { code: 'EXPOSURE_LIMIT' });
      if ('value' in outcome) model.open.push({ id: String(outcome.value.id), pool: 0n, held: new Map() });
      return;
    }
    case 'put in':
      model.putIn += BigInt(one.usd) * USD;
      await depositToTreasury(context, { amount: BigInt(one.usd) * USD, reference: `put in ${model.putIn}` });
      return;
    case 'trade': {
      const traded = model.open[one.market % Math.max(1, model.open.length)];
      const trader = TRADERS[one.trader];
      if (traded === undefined || trader === undefined) return;
      const { side: on, action, shares } = one;
      const size = { shares: BigInt(shares) * USD };
      const outcome = await outcomeOf(
        queue.place(order({ market: traded.id, wallet: trader, side: on, action, size })),
      );
      if ('value' in outcome) model.trade(traded, one.trader, action, outcome.value.view);
      return;
    }
    case 'resolve': {
      const index = one.market % Math.max(1, model.open.length);
      const resolved = model.open[index];
      if (resolved === undefined) return;
      await resolveMarket(context, { market: resolved.id, outcome: one.outcome, note: null });
      model.resolve(index, one.outcome);
    }
  }
}

async function judge(world: World, model: Model): Promise<void> {
  const treasury = await getTreasury(world.context);
  expect(usdToMicros(treasury.balance)).toBe(model.putIn - model.lost);
  expect(usdToMicros(treasury.exposure)).toBe(model.exposure());
  const { ok, solvency } = await audit(world.context);
  expect(ok).toBe(true);
  expect(usdToMicros(solvency.surplus)).toBe(model.putIn - model.lost);
  expect(usdToMicros(solvency.worstCase)).toBe(model.putIn - model.lost - model.exposure());
  expect([solvency.solvent, treasury.solvent]).toEqual(Array(2).fill(model.putIn >= model.lost));
  expect(model.exposure() + model.lost).toBeLessThanOrEqual(BigInt(LIMIT) * USD + model.putIn);
}

describe('the house', () => {
  it('never has more at stake and lost than its limit and what operators put in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
        const world = await createWorld({ exposureLimit: LIMIT });
        for (const trader of TRADERS) await world.fund(trader, 100_000);
        const queue = createTradeQueue(world.context);
        const model = new Model();
        for (const one of steps) {
          await take(world, queue, model, one);
          await judge(world, model);
        }
      }),
      { numRuns: 60 },
    );
  });
});
