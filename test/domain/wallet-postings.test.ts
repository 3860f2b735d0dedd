import fc from 'fast-check';
import { postingsPage, type PostingSources, type TradeOfMarket } from '../../src/domain/wallet-postings';
import type { Deposit } from '../../src/domain/types';
import type { Withdrawal } from '../../src/domain/withdrawals';
import { CREATOR, wallet } from './support/arbitraries';

const A = wallet(1);

function trade(id: number, fields: Partial<TradeOfMarket>): TradeOfMarket {
  return {
    ...{ id, type: 'trade', marketId: 3, wallet: A, side: 'YES', action: 'buy', shares: 1n, notional: 100n },
    ...{ fee: 2n, totalCost: 102n, realizedPnl: 0n, yesPriceAfter: 500_000, createdAt: id },
    market: { creator: CREATOR },
    ...fields,
  };
}
const deposit = (at: number): Deposit => ({
  ...{ reference: `wire ${at}`, wallet: A, amount: 5n, balanceAfter: 0n, reservedAfter: 0n, createdAt: at },
});
const withdrawal = (id: number, at: number, status: Withdrawal['status']): Withdrawal => ({
  ...{ id, wallet: A, walletSeq: id, amount: 7n, status, payoutState: null, transaction: null, reason: null },
  ...{ createdAt: 0, updatedAt: at },
});
const START = { trades: 0, deposits: 0, withdrawals: 0 };

it('a posting names what the wallet got or paid', () => {
  const trades = [
    trade(5, { market: { creator: A } }),
    trade(4, { type: 'settlement', action: 'sell', totalCost: 0n, fee: 0n }),
    trade(3, { type: 'settlement', action: 'sell', totalCost: 40n, fee: 0n }),
    trade(2, { action: 'sell', totalCost: 98n }),
    trade(1, {}),
  ];
  const sources = { trades, deposits: [], withdrawals: [withdrawal(9, 0, 'confirmed')] };
  const { postings, next } = postingsPage(sources, START, 20);
  expect(next).toBeNull();
  expect(postings).toMatchObject([
    // The fee of the creator's own order comes back to the creator.
    { kind: 'trade', reference: 'trade:5', amount: -100n, marketId: 3, createdAt: 5 },
    { kind: 'settlement', reference: `settlement:3:${A}:YES`, amount: 40n },
    { kind: 'trade', reference: 'trade:2', amount: 98n },
    { kind: 'trade', reference: 'trade:1', amount: -102n },
    { kind: 'withdrawal', reference: 'withdrawal:9', amount: -7n, marketId: null },
  ]);
});

it('a withdrawal that is confirmed late comes before older trades, although a later withdrawal was confirmed earlier', () => {
  const trades = [trade(2, { createdAt: 500 }), trade(1, { createdAt: 50 })];
  const withdrawals = [withdrawal(2, 100, 'confirmed'), withdrawal(1, 1_000, 'confirmed')];
  const page = (limit: number) =>
    postingsPage({ trades, deposits: [], withdrawals }, START, limit).postings.map(
      ({ reference }) => reference,
    );
  expect(page(20)).toEqual(['withdrawal:1', 'trade:2', 'withdrawal:2', 'trade:1']);
  expect(page(2)).toEqual(['withdrawal:1', 'withdrawal:2']);
});

it('the pages together have each row that moved money once, newest first', () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 });
  const newest = (all: number[]): number[] => all.toSorted((a, b) => b - a);
  const states = fc.array(fc.constantFrom<Withdrawal['status']>('confirmed', 'failed', 'pending'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(times, times, states, fc.integer({ min: 1, max: 5 }), (traded, deposited, ended, limit) => {
      const all: PostingSources = {
        trades: newest(traded).map((at, index) => trade(100 - index, { createdAt: at })),
        deposits: newest(deposited).map((at, index) => ({ ...deposit(at), reference: `wire ${index}` })),
        withdrawals: ended.map((status, index) => withdrawal(100 - index, 50 - index, status)),
      };
      const read = [];
      for (let from: typeof START | null = START, pages = 0; from !== null; pages += 1) {
        expect(pages).toBeLessThan(40);
        const at: typeof START = from;
        const rowsOf = <Row>(rows: readonly Row[], offset: number) => rows.slice(offset, offset + limit + 1);
        const sources = {
          trades: rowsOf(all.trades, at.trades),
          deposits: rowsOf(all.deposits, at.deposits),
          withdrawals: rowsOf(all.withdrawals, at.withdrawals),
        };
        const page = postingsPage(sources, at, limit);
        expect(page.postings.length).toBeLessThanOrEqual(limit);
        read.push(...page.postings);
        from = page.next;
      }
      const confirmed = ended.filter((status) => status === 'confirmed').length;
      expect(new Set(read.map(({ reference }) => reference)).size).toBe(read.length);
      expect(read).toHaveLength(traded.length + deposited.length + confirmed);
      expect(read.map(({ createdAt }) => createdAt)).toEqual(newest(read.map(({ createdAt }) => createdAt)));
    }),
  );
});
