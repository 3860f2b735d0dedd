import { usdToMicros } from '../../../src/domain/money';
import type { ExecutedTradeView } from '../../../src/views/trade';
import type { Model, ModelMarket, Order } from './model';
import { deservedRefusals } from './refusals';
import type { PlacedOrder, Result } from './results';
import { same } from './holds';

/** By wallet and idempotency key. */
export type Remembered = Map<string, { fingerprint: string; view: ExecutedTradeView }>;

export interface Circumstances {
  /** `true`: no other operation ran at the same time, so the state before the order has to explain a refusal. */
  alone: boolean;
  ended: ReadonlySet<ModelMarket>;
  /** `true`: deposits or payouts ran at the same time, so the balances in the answers cannot be predicted. */
  balancesMove: boolean;
}

const DEPENDS_ON_ORDER = [
  'VALIDATION_ERROR',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_SHARES',
  'PRICE_LIMIT',
  'SLIPPAGE_EXCEEDED',
];

export function judgeOrders(
  model: Model,
  remembered: Remembered,
  placed: readonly PlacedOrder[],
  circumstances: Circumstances,
): void {
  const known = new Set(remembered.keys());
  for (const { order, result } of placed) {
    if ('code' in result) judgeEarlyRefusal(model, order, result.code, known, remembered, circumstances);
  }
  for (const { order, view } of executedOnce(placed, remembered)) {
    same(model.isTrading(order.market), true);
    model.trade(order, view);
    if (!circumstances.balancesMove) same(usdToMicros(view.balance), model.balance(order.wallet));
  }
  for (const { order, result } of placed) judgeRepetition(order, result, remembered);
}

function nameOf({ wallet, key }: Order): string | null {
  return key === null ? null : `${wallet} ${key}`;
}

function fingerprintOf({ market, side, action, size, bounds }: Order): string {
  return JSON.stringify([market.id, side, action, size, bounds]);
}

/** Returns the new trades by id, which is the order in which the service decided. */
function executedOnce(
  placed: readonly PlacedOrder[],
  remembered: Remembered,
): { order: Order; view: ExecutedTradeView }[] {
  const executed: { order: Order; view: ExecutedTradeView }[] = [];
  for (const { order, result } of placed) {
    if ('code' in result) continue;
    const name = nameOf(order);
    if (name !== null && remembered.has(name)) continue;
    if (name !== null) remembered.set(name, { fingerprint: fingerprintOf(order), view: result.value });
    executed.push({ order, view: result.value });
  }
  same(new Set(executed.map(({ view }) => view.id)).size, executed.length);
  return executed.sort((left, right) => left.view.id - right.view.id);
}

function judgeRepetition(order: Order, result: Result<ExecutedTradeView>, remembered: Remembered): void {
  const name = nameOf(order);
  const first = name === null ? undefined : remembered.get(name);
  const repeated = first?.fingerprint === fingerprintOf(order);
  if ('code' in result) {
    if (result.code === 'IDEMPOTENCY_CONFLICT')
      expect([first !== undefined, repeated]).toEqual([true, false]);
  } else if (first !== undefined) {
    same(repeated, true);
    expect(result.value).toEqual(first.view);
  }
}

/** Must be called before the trades of the wave change the model. */
function judgeEarlyRefusal(
  model: Model,
  order: Order,
  code: string,
  known: ReadonlySet<string>,
  remembered: Remembered,
  { alone, ended }: Circumstances,
): void {
  if (code === 'IDEMPOTENCY_CONFLICT') return;
  const name = nameOf(order);
  // A repeated order gets its first answer, also on a closed market.
  if (name !== null && known.has(name))
    throw new Error(`${name} traded before (${remembered.size} keys): ${code}`);
  if (alone) expect(deservedRefusals(model, order)).toContain(code);
  else if (code === 'MARKET_CLOSED') same(model.isTrading(order.market) && !ended.has(order.market), false);
  else expect(DEPENDS_ON_ORDER).toContain(code);
}
