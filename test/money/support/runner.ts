import type { PredictionMarket } from '../../../src/create-prediction-market';
import type { PlaceTradeInput } from '../../../src/inputs';
import type { TestClock } from '../../../testing/test-clock';
import { testWallet } from '../../../testing/test-wallets';
import { tickerId } from '../../../src/domain/market';
import type { Outcome } from '../../../src/domain/types';
import { GARBAGE } from './garbage';
import { Judge } from './judge';
import { holdingOf, Model, type ModelMarket, type Order } from './model';
import { tightBounds } from './refusals';
import { noResults, resultOf, type WaveResults } from './results';
import {
  CREATORS,
  WALLETS,
  type MarketPick,
  type Operation,
  type PlannedSize,
  type Size,
  type TradeOperation,
} from './operations';
import { atLeast, same } from './holds';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The service keeps the answer to an idempotency key for at least this long. */
const KEPT_MS = 24 * HOUR_MS;
const NEWEST = 4;
const FUNDS = 400;

export const WALLET_ADDRESSES = Array.from({ length: WALLETS }, (_, index) => testWallet(index).address);

function addressOf(index: number): string {
  return WALLET_ADDRESSES[index] ?? testWallet(index).address;
}

export class Runner {
  readonly model: Model;
  private readonly judge: Judge;
  private readonly keyed: { order: Order; placedAt: number }[] = [];

  constructor(
    private readonly pm: PredictionMarket,
    private readonly clock: TestClock,
    liquidityParameter: number,
  ) {
    this.model = new Model(clock.now());
    this.judge = new Judge(this.model, BigInt(liquidityParameter) * 1_000_000n);
  }

  async begin(): Promise<void> {
    for (let index = 0; index < CREATORS; index += 1) {
      await this.pm.approveCreator({ address: addressOf(index) });
    }
    for (const address of WALLET_ADDRESSES) {
      await this.pm.deposit({ address, amount: FUNDS, reference: `funds of ${address}` });
      this.model.deposit(address, BigInt(FUNDS) * 1_000_000n);
    }
    await this.wave(
      [0, 1].map((creator) => ({ kind: 'createMarket', creator, category: 'other', hours: 50 })),
    );
  }

  async wave(operations: readonly Operation[]): Promise<void> {
    const results = noResults();
    for (const operation of operations) if (operation.kind === 'advance') this.advance(operation.minutes);
    await Promise.all(operations.map((operation) => this.start(operation, results)));
    this.judge.wave(results, operations.length === 1);
    await this.compareBalances();
  }

  async resolveAll(): Promise<void> {
    const outcomes = ['YES', 'NO', 'VOID'] as const;
    const results = noResults();
    const left = this.model.markets.filter(({ status }) => status !== 'resolved');
    await Promise.all(
      left.map((market, index) => this.resolve(market, outcomes[index % 3] ?? 'YES', results)),
    );
    this.judge.wave(results, false);
    await this.compareBalances();
  }

  private advance(minutes: number): void {
    this.clock.advance(minutes * MINUTE_MS);
    this.model.now = this.clock.now();
  }

  private start(operation: Operation, results: WaveResults): Promise<unknown> {
    switch (operation.kind) {
      case 'trade':
        return this.placeOrder(this.orderOf(operation), operation.name, results);
      case 'repeat': {
        const earlier = this.keyed[this.keyed.length - 1 - operation.ago];
        if (earlier === undefined || this.clock.now() - earlier.placedAt >= KEPT_MS) return Promise.resolve();
        const { order } = earlier;
        return this.placeOrder(operation.changed ? otherSide(order) : order, 'id', results);
      }
      case 'createMarket':
        return this.createMarket(operation, results);
      case 'deposit':
        return this.deposit(operation, results);
      case 'close':
        return this.close(this.picked(operation.market), results);
      case 'resolve':
        return this.resolve(this.picked(operation.market), operation.outcome, results);
      case 'advance':
        return this.pm.runJobs();
      case 'garbage':
        return this.placeGarbage(operation, results);
    }
  }

  private picked({ pick, among }: MarketPick): ModelMarket {
    const trading = this.model.markets.filter((one) => this.model.isTrading(one));
    const markets = among === 'newest' && trading.length > 0 ? trading.slice(-NEWEST) : this.model.markets;
    const market = markets[pick % markets.length];
    if (market === undefined) throw new Error('There is no market yet');
    return market;
  }

  private orderOf({ wallet, market, side, action, size, bounds, key }: TradeOperation): Order {
    const now = this.clock.now();
    const parties = { market: this.picked(market), wallet: addressOf(wallet), side, action };
    const sized = { ...parties, size: this.sizeOf(parties, size) };
    const order: Order = {
      ...sized,
      bounds: 'tight' in bounds ? tightBounds(sized, bounds.tight, bounds.off) : bounds,
      // A key gets a new name before the service may have removed the answer to the old name.
      key: key === null ? null : `key ${key} of ${Math.floor((2 * now) / KEPT_MS)}`,
    };
    if (order.key !== null) this.keyed.push({ order, placedAt: now });
    return order;
  }

  private sizeOf(
    { market, side, wallet }: Pick<Order, 'market' | 'side' | 'wallet'>,
    size: PlannedSize,
  ): Size {
    if (size === 'all' || 'amount' in size || 'shares' in size) return size;
    if ('balanceAnd' in size) return { amount: atLeastOne(this.model.balance(wallet), size.balanceAnd) };
    return { shares: atLeastOne(holdingOf(market, side, wallet).shares, size.heldAnd) };
  }

  private async placeOrder(order: Order, name: TradeOperation['name'], results: WaveResults): Promise<void> {
    const { id, slug } = order.market;
    const market = { id, ticker: tickerId(id), slug }[name];
    // The plan chooses the action apart from the other fields, so the compiler cannot see that the fields fit
    // together.
    const result = await resultOf(this.pm.placeTrade({ ...inputOf(order), market } as PlaceTradeInput));
    results.orders.push({ order, result });
  }

  private async placeGarbage(
    { wallet, market, which }: Extract<Operation, { kind: 'garbage' }>,
    results: WaveResults,
  ): Promise<void> {
    const { order, code } = GARBAGE[which % GARBAGE.length] ?? { order: {}, code: 'VALIDATION_ERROR' };
    const whole = { wallet: addressOf(wallet), market: this.picked(market).id, ...order };
    const result = await resultOf(this.pm.placeTrade(whole as unknown as PlaceTradeInput));
    results.garbage.push({ expected: code, result });
  }

  private async createMarket(
    { creator, category, hours }: Extract<Operation, { kind: 'createMarket' }>,
    results: WaveResults,
  ): Promise<void> {
    const result = await resultOf(
      this.pm.createMarket({
        creator: addressOf(creator),
        question: 'Does every base unit have an owner?',
        resolutionCriteria: 'The books say so.',
        resolveDate: new Date(this.clock.now() + hours * HOUR_MS).toISOString(),
        category,
      }),
    );
    results.created.push({ creator: creator < CREATORS ? addressOf(creator) : null, result });
  }

  private async deposit(
    { reference, changed }: Extract<Operation, { kind: 'deposit' }>,
    results: WaveResults,
  ): Promise<void> {
    const address = addressOf((reference + (changed ? 1 : 0)) % WALLETS);
    const amount = BigInt(((reference * 7_919) % 40) + 1) * 1_234_567n;
    const deposit = { address, amount, reference: `deposit ${reference}` };
    const result = await resultOf(this.pm.deposit({ ...deposit, amount: Number(amount) / 1e6 }));
    results.deposits.push({ ...deposit, result });
  }

  private async close(market: ModelMarket, results: WaveResults): Promise<void> {
    const result = await resultOf(this.pm.closeMarket({ market: market.id }));
    results.closed.push({ market, result });
  }

  private async resolve(market: ModelMarket, outcome: Outcome, results: WaveResults): Promise<void> {
    const result = await resultOf(this.pm.resolveMarket({ market: market.id, outcome }));
    results.resolved.push({ market, outcome, result });
  }

  private async compareBalances(): Promise<void> {
    const accounts = await Promise.all(WALLET_ADDRESSES.map((address) => this.pm.getAccount({ address })));
    for (const { address, balance } of accounts) {
      atLeast(this.model.balance(address), 0n);
      same(balance, Number(this.model.balance(address)) / 1e6);
    }
  }
}

function atLeastOne(amount: bigint, more: number): number {
  return Math.max(1, Number(amount) + more);
}

function otherSide(order: Order): Order {
  return { ...order, side: order.side === 'YES' ? 'NO' : 'YES' };
}

/** Converts the millionths of the plan to USD and shares. */
function inputOf({ wallet, side, action, size, bounds, key }: Order) {
  const sized =
    size === 'all' || 'shares' in size
      ? { shares: size === 'all' ? size : Number(size.shares) / 1e6 }
      : { amount: Number(size.amount) / 1e6 };
  return {
    wallet,
    side,
    action,
    ...sized,
    ...inUnits(bounds),
    ...(key === null ? {} : { idempotencyKey: key }),
  };
}

function inUnits(millionths: object): Record<string, number> {
  return Object.fromEntries(Object.entries(millionths).map(([name, value]) => [name, Number(value) / 1e6]));
}
