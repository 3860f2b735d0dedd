import { judgeOrders, type Remembered } from './judge-orders';
import type { Model, ModelMarket } from './model';
import {
  valueOf,
  type Closing,
  type Creation,
  type Deposit,
  type Resolution,
  type WaveResults,
} from './results';

export class Judge {
  private readonly remembered: Remembered = new Map();
  private readonly deposits = new Map<string, Deposit>();

  constructor(
    private readonly model: Model,
    /** In micro-USD. */
    private readonly b: bigint,
  ) {}

  wave(results: WaveResults, alone: boolean): void {
    const { orders, deposits, created, closed, resolved, garbage } = results;
    this.judgeDeposits(deposits);
    judgeOrders(this.model, this.remembered, orders, {
      alone,
      ended: new Set([...closed, ...resolved].map(({ market }) => market)),
      balancesMove: deposits.length + resolved.length > 0,
    });
    for (const closing of closed) this.judgeClosing(closing, resolved);
    for (const market of new Set(resolved.map((one) => one.market))) {
      this.judgeResolutions(
        market,
        resolved.filter((one) => one.market === market),
      );
    }
    for (const creation of created) this.judgeCreation(creation);
    for (const { expected, result } of garbage) expect(result).toEqual({ code: expected });
  }

  private judgeCreation({ creator, result }: Creation): void {
    if (creator === null) {
      expect(result).toEqual({ code: 'INSUFFICIENT_PERMISSIONS' });
      return;
    }
    const { id, slug, resolveDate } = valueOf(result);
    expect(this.model.markets.map((market) => market.slug)).not.toContain(slug);
    this.model.addMarket({ id, slug, creator, resolveDate: Date.parse(resolveDate), b: this.b });
  }

  private judgeDeposits(deposits: readonly Deposit[]): void {
    for (const deposit of deposits) {
      if ('code' in deposit.result || this.deposits.has(deposit.reference)) continue;
      this.deposits.set(deposit.reference, deposit);
      this.model.deposit(deposit.address, deposit.amount);
    }
    for (const { address, amount, reference, result } of deposits) {
      const first = this.deposits.get(reference);
      const same = first?.address === address && first.amount === amount;
      expect(result).toEqual(same ? first.result : { code: 'IDEMPOTENCY_CONFLICT' });
    }
  }

  private judgeClosing({ market, result }: Closing, resolved: readonly Resolution[]): void {
    const resolving = resolved.some((one) => one.market === market);
    if (market.status === 'resolved') expect(result).toEqual({ code: 'MARKET_CLOSED' });
    else if ('code' in result) expect([result.code, resolving]).toEqual(['MARKET_CLOSED', true]);
    if (market.status === 'open') market.status = 'resolving';
  }

  private judgeResolutions(market: ModelMarket, resolutions: readonly Resolution[]): void {
    if (market.outcome === null) {
      const first = resolutions.find(({ result }) => 'value' in result);
      if (first === undefined) throw new Error(`Market ${market.id} has no outcome`);
      this.model.resolve(market, first.outcome);
    }
    for (const { outcome, result } of resolutions) {
      if (outcome !== market.outcome) expect(result).toEqual({ code: 'ALREADY_RESOLVED' });
      else expect(valueOf(result)).toMatchObject({ status: 'resolved', liquidity: 0 });
    }
  }
}
