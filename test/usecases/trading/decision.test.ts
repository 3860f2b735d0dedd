import fc from 'fast-check';
import { candlesOfTrade, mergeCandle } from '../../../src/domain/candles';
import { accountChanges, walletAccount } from '../../../src/domain/ledger';
import { lmsr } from '../../../src/domain/lmsr';
import { openMarket } from '../../../src/domain/market';
import type { Candle, Position } from '../../../src/domain/types';
import {
  batchStateOf,
  decideOrders,
  type BatchInput,
  type BatchState,
  type TradeOrder,
} from '../../../src/usecases/trading/batch-decision';
import { batchWrites, completeBatch } from '../../../src/usecases/trading/batch-writes';

const NOW = Date.UTC(2027, 0, 31, 12, 34, 56);
const USD = 1_000_000n;
const RULES = { pricing: lmsr, feeBasisPoints: 50n };
const wallet = (index: number): string => `0x${String(index + 1).padStart(40, '0')}`;
const WALLETS = [0, 1, 2, 3].map(wallet);
const MARKETS = [1, 2].map((id) =>
  openMarket({
    id,
    slug: `market-${id}`,
    question: 'Will it?',
    description: null,
    resolutionCriteria: 'It will.',
    category: 'other',
    creator: wallet(id === 1 ? 0 : 9),
    createdAt: NOW - 1000,
    resolveDate: NOW + 1000,
    liquidityParameter: 100n * USD,
  }),
);
const ROWS: BatchInput = {
  markets: MARKETS,
  accounts: [...WALLETS, wallet(9)].map((one) => ({
    id: walletAccount(one),
    balance: 50n * USD,
    reserved: 0n,
    activityCount: 0,
    openPositions: 0,
    totalPositions: 0,
    updatedAt: 0,
  })),
  positions: [],
  records: [],
  now: NOW,
};

const orders: fc.Arbitrary<TradeOrder[]> = fc.array(
  fc
    .record({
      wallet: fc.constantFrom(...WALLETS),
      marketId: fc.constantFrom(1, 2),
      side: fc.constantFrom('YES' as const, 'NO' as const),
      sized: fc.oneof(
        fc
          .bigInt({ min: USD / 100n, max: 20n * USD })
          .map((amount) => ({ action: 'buy' as const, size: { amount } })),
        fc
          .bigInt({ min: USD, max: 5n * USD })
          .map((shares) => ({ action: 'sell' as const, size: { shares } })),
        fc.constant({ action: 'sell' as const, size: 'all' as const }),
      ),
    })
    .map(({ marketId, sized, ...rest }) => ({
      command: { ...rest, ...sized, market: String(marketId), bounds: {}, idempotencyKey: null },
      marketId,
      requestHash: null,
    })),
  { minLength: 1, maxLength: 30 },
);

function decided(batch: readonly TradeOrder[]): BatchState {
  const state = batchStateOf(ROWS);
  decideOrders(state, batch, RULES);
  return state;
}

describe('the writes of a batch', () => {
  it('change each account by its entries, and count the trades and positions of each wallet', () => {
    fc.assert(
      fc.property(orders, (batch) => {
        const { executed } = decided(batch);
        const { accounts, positions } = batchWrites(executed);
        const { postings } = completeBatch(
          executed,
          executed.map((_one, index) => index + 1),
        );
        expect(accounts.map(({ id, balance }) => ({ id, balance }))).toEqual(
          accountChanges(postings).accounts,
        );
        for (const { id, activityCount, openPositions, totalPositions } of accounts) {
          const of = (address: string): boolean => walletAccount(address) === id;
          const held = positions.filter((position) => of(position.wallet));
          expect({ activityCount, openPositions, totalPositions }).toEqual({
            activityCount: executed.filter(({ order }) => of(order.command.wallet)).length,
            openPositions: held.filter(({ shares }) => shares > 0n).length,
            totalPositions: held.length,
          });
        }
      }),
    );
  });

  it('hold the last state of each market and position, and one candle a bucket', () => {
    fc.assert(
      fc.property(orders, (batch) => {
        const { executed } = decided(batch);
        const writes = batchWrites(executed);
        const last = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
          ...new Map(items.map((item) => [keyOf(item), item])).values(),
        ];
        const position = (one: Position): string => `${one.marketId} ${one.side} ${one.wallet}`;
        expect(writes.markets).toEqual(
          last(
            executed.map(({ market }) => market),
            ({ id }) => String(id),
          ),
        );
        expect(new Map(writes.positions.map((one) => [position(one), one]))).toEqual(
          new Map(executed.map(({ accepted }) => [position(accepted.position), accepted.position])),
        );
        const candle = (one: Candle): string => `${one.marketId} ${one.lengthMs} ${one.time}`;
        const merged = new Map<string, Candle>();
        for (const { accepted } of executed) {
          for (const one of candlesOfTrade(accepted.trade, accepted.yesPriceBefore)) {
            const earlier = merged.get(candle(one));
            merged.set(candle(one), earlier === undefined ? one : mergeCandle(earlier, one));
          }
        }
        expect(writes.candles).toHaveLength(merged.size);
        expect(new Map(writes.candles.map((one) => [candle(one), one]))).toEqual(merged);
      }),
    );
  });

  it('number the events of each market without gaps, and leave the state that was given as it was', () => {
    fc.assert(
      fc.property(orders, (batch) => {
        const before = structuredClone(ROWS);
        const { executed } = decided(batch);
        for (const { id, marketSeq } of MARKETS) {
          const numbers = executed
            .filter(({ market }) => market.id === id)
            .map(({ market }) => market.marketSeq);
          expect(numbers).toEqual(numbers.map((_number, index) => marketSeq + index + 1));
        }
        expect(ROWS).toEqual(before);
      }),
    );
  });
});
