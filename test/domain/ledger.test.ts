import {
  accountChanges,
  assertBalanced,
  depositPosting,
  resolutionPosting,
  positionPayoutPosting,
  sweepPosting,
  tradeEntries,
  tradePosting,
} from '../../src/domain/ledger';
import { CREATOR, T0, wallet } from './support/arbitraries';

const A = wallet(1);

describe('postings', () => {
  const deposit = depositPosting({ wallet: A, amount: 5n, reference: 'wire 1', createdAt: T0 });
  const trade = tradePosting(17, {
    kind: 'trade',
    createdAt: T0,
    entries: tradeEntries({ wallet: A, creator: CREATOR, marketId: 3, poolChange: 200n, fee: 1n }),
  });
  const payout = positionPayoutPosting({ marketId: 3, wallet: A, side: 'YES', amount: 9n, createdAt: T0 });

  it('name their cause', () => {
    expect(deposit.reference).toBe('deposit:wire 1');
    expect(trade.reference).toBe('trade:17');
    expect(payout.reference).toBe(`settlement:3:${A}:YES`);
    expect(resolutionPosting(3, 4n, T0).reference).toBe('resolution:3');
    expect(sweepPosting(3, 4n, T0).reference).toBe('resolution:3:remainder');
  });

  it('move money the right way', () => {
    expect(deposit.entries).toEqual([
      { account: 'external', amount: -5n },
      { account: `wallet:${A}`, amount: 5n },
    ]);
    expect(trade.entries.map((entry) => entry.amount)).toEqual([-201n, 200n, 1n]);
    expect(resolutionPosting(3, -4n, T0).entries).toEqual([
      { account: 'treasury', amount: 4n },
      { account: 'market:3', amount: -4n },
    ]);
    expect(sweepPosting(3, 4n, T0).entries[1]).toEqual({ account: 'treasury', amount: 4n });
    for (const posting of [deposit, trade, payout]) expect(() => assertBalanced(posting)).not.toThrow();
  });

  it('that are out of balance are refused', () => {
    const entries = [
      { account: 'treasury' as const, amount: 1n },
      { account: 'external' as const, amount: -2n },
    ];
    expect(() => assertBalanced({ reference: 'trade:9', entries })).toThrow(
      'trade:9 is out of balance by -1',
    );
    expect(() => tradePosting(9, { kind: 'trade', createdAt: T0, entries })).toThrow(/out of balance/);
  });

  it('of a sale pay the fee out of the proceeds', () => {
    const sale = tradeEntries({ wallet: A, creator: CREATOR, marketId: 3, poolChange: -200n, fee: 1n });
    expect(sale.map((entry) => entry.amount)).toEqual([199n, -200n, 1n]);
  });

  it('add up to one change of each account, pools apart', () => {
    const own = tradeEntries({ wallet: A, creator: A, marketId: 4, poolChange: 200n, fee: 1n });
    const { accounts, pools } = accountChanges([
      deposit,
      trade,
      { entries: own },
      payout,
      resolutionPosting(3, 4n, T0),
    ]);
    expect(accounts).toEqual([
      { id: 'external', balance: -5n },
      { id: 'treasury', balance: -4n },
      { id: `wallet:${A}`, balance: 5n - 201n - 200n + 9n },
      { id: `wallet:${CREATOR}`, balance: 1n },
    ]);
    expect([...pools]).toEqual([
      [3, 200n - 9n + 4n],
      [4, 200n],
    ]);
    const total = [...accounts.map((change) => change.balance), ...pools.values()];
    expect(total.reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
  });
});
