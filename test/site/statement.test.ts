/** The statement of a wallet against a plain model of its life. */
import fc from 'fast-check';
import type { Credit, WalletTrade, Withdrawal } from '../../src/client';
import { csvOf, movementsOf, type Life } from '../../site/browser/portfolio/statement';

const AT = '2026-11-21T12:00:00.000Z';

function trade(id: number, change: Partial<WalletTrade>): WalletTrade {
  return {
    id,
    marketId: 1,
    type: 'trade',
    action: 'buy',
    side: 'YES',
    shares: 2,
    pricePerShare: 0.5,
    totalCost: 1,
    fee: 0.005,
    realizedPnl: 0,
    traderAddress: '0x1111111111111111111111111111111111111111',
    createdAt: AT,
    ...change,
  };
}

const withdrawal = (id: number, amount: number, status: Withdrawal['status']): Withdrawal => ({
  id,
  amount,
  status,
  transaction: null,
  createdAt: AT,
  updatedAt: AT,
});

const ACTS = [
  'deposit',
  'creator fee',
  'buy',
  'sell',
  'settlement',
  'confirmed',
  'failed',
  'pending',
] as const;
const lives = fc.array(
  fc.record({ act: fc.constantFrom(...ACTS), micros: fc.integer({ min: 1, max: 1_000_000_000_000 }) }),
);

/** The life as the server tells it, and the sum of what the server does not list. */
function lived(acts: readonly { act: (typeof ACTS)[number]; micros: number }[]): {
  life: Life;
  unlisted: number;
} {
  const history: WalletTrade[] = [];
  const deposits: Credit[] = [];
  const withdrawals: Withdrawal[] = [];
  let balance = 0;
  let unlisted = 0;
  for (const [id, { act, micros }] of acts.entries()) {
    const usd = micros / 1e6;
    if (act === 'creator fee') unlisted += micros;
    else if (act === 'deposit')
      deposits.push({ id: String(id), amount: usd, source: 'payment', createdAt: AT });
    else if (act === 'buy' || act === 'sell') history.push(trade(id, { action: act, totalCost: usd }));
    else if (act === 'settlement')
      history.push(trade(id, { type: 'settlement', action: 'sell', totalCost: usd }));
    else withdrawals.push(withdrawal(id, usd, act));
    if (act === 'buy' || act === 'confirmed') balance -= micros;
    else if (act !== 'failed' && act !== 'pending') balance += micros;
  }
  return { life: { history, deposits, withdrawals, balance: balance / 1e6, questions: new Map() }, unlisted };
}

describe('the statement of a wallet', () => {
  it('has amounts that add up to the balance, and the sum of what the server does not list', () => {
    fc.assert(
      fc.property(lives, (acts) => {
        const { life, unlisted } = lived(acts);
        const [, ...lines] = csvOf(movementsOf(life)).trim().split('\r\n');
        const amounts = lines.map((line) => line.split(',').at(-3) ?? '');
        for (const amount of amounts) expect(amount).toMatch(/^-?\d+\.\d{6}$/);
        const micros = amounts.map((amount) => Number(amount.replace('.', '')));
        expect(micros.reduce((sum, each) => sum + each, 0)).toBe(Math.round(life.balance * 1e6));
        const first = lines[0]?.includes(',not listed,') === true ? micros[0] : 0;
        expect(first).toBe(unlisted);
      }),
    );
  });

  it('quotes texts, and lets no text become a formula', () => {
    const cells = ['=1', '+1', '-1', '@a', ' =1', '\t=1', 'a "b", c'].map((question) => {
      const questions = new Map([[1, question]]);
      const csv = csvOf(
        movementsOf({ history: [trade(1, {})], deposits: [], withdrawals: [], balance: -1, questions }),
      );
      return csv.split('\r\n')[1]?.split(/,1,(.*),YES,/)[1];
    });
    expect(cells).toEqual(["'=1", "'+1", "'-1", "'@a", "' =1", "'\t=1", '"a ""b"", c"']);
  });
});
