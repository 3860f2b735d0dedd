import fc from 'fast-check';
import type { Credit, MarketEarnings, WalletTrade, Withdrawal } from '../../src/client';
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

const MARKET: MarketEarnings = {
  ...{ id: 1, tickerId: 'PM-0001', slug: 'will-it-rain', question: 'Will it rain?', category: 'science' },
  ...{ status: 'open', yesPrice: 0.5, noPrice: 0.5, volume: 0, liquidity: 0, fees: 0 },
  ...{ resolveDate: AT, createdAt: AT },
};

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

function lived(acts: readonly { act: (typeof ACTS)[number]; micros: number }[]): Life {
  const history: WalletTrade[] = [];
  const deposits: Credit[] = [];
  const withdrawals: Withdrawal[] = [];
  let balance = 0;
  const earnings: MarketEarnings[] = [];
  for (const [id, { act, micros }] of acts.entries()) {
    const usd = micros / 1e6;
    if (act === 'creator fee') earnings.push({ ...MARKET, id, fees: usd });
    else if (act === 'deposit')
      deposits.push({ id: String(id), amount: usd, source: 'payment', transaction: null, createdAt: AT });
    else if (act === 'buy' || act === 'sell') history.push(trade(id, { action: act, totalCost: usd }));
    else if (act === 'settlement')
      history.push(trade(id, { type: 'settlement', action: 'sell', totalCost: usd }));
    else withdrawals.push(withdrawal(id, usd, act));
    if (act === 'buy' || act === 'confirmed') balance -= micros;
    else if (act !== 'failed' && act !== 'pending') balance += micros;
  }
  return { history, deposits, withdrawals, earnings, balance: balance / 1e6, questions: new Map() };
}

describe('the statement of a wallet', () => {
  it('has amounts that add up to the balance, and nothing that the server does not list', () => {
    fc.assert(
      fc.property(lives, (acts) => {
        const life = lived(acts);
        const [, ...lines] = csvOf(movementsOf(life)).trim().split('\r\n');
        const amounts = lines.map((line) => line.split(',').at(-3) ?? '');
        for (const amount of amounts) expect(amount).toMatch(/^-?\d+\.\d{6}$/);
        const micros = amounts.map((amount) => Number(amount.replace('.', '')));
        expect(micros.reduce((sum, each) => sum + each, 0)).toBe(Math.round(life.balance * 1e6));
        expect(lines.filter((line) => line.includes(',not listed,'))).toEqual([]);
      }),
    );
  });

  it('has a line for each market that has earned its creator something, and one for what no list explains', () => {
    const earnings = [
      { ...MARKET, id: 7, fees: 0.005 },
      { ...MARKET, id: 6, fees: 0 },
      { ...MARKET, id: 5, fees: 1.25 },
    ];
    const life = { history: [], deposits: [], withdrawals: [], questions: new Map<number, string>() };
    const lines = csvOf(movementsOf({ ...life, earnings, balance: 2 }))
      .trim()
      .split('\r\n');
    expect(lines.slice(1)).toEqual([
      ',not listed,,,,,,,0.745000,,difference to the balance',
      ',creator fees,7,Will it rain?,,,,,0.005000,,sum of all times',
      ',creator fees,5,Will it rain?,,,,,1.250000,,sum of all times',
    ]);
  });

  it('quotes texts, and lets no text become a formula', () => {
    const cells = ['=1', '+1', '-1', '@a', ' =1', '\t=1', '＝1', ' ＋1', '－1', '＠a', 'a "b", c'].map(
      (question) => {
        const questions = new Map([[1, question]]);
        const csv = csvOf(
          movementsOf({
            history: [trade(1, {})],
            ...{ deposits: [], withdrawals: [], earnings: [] },
            ...{ balance: -1, questions },
          }),
        );
        return csv.split('\r\n')[1]?.split(/,1,(.*),YES,/)[1];
      },
    );
    const asTexts = ["'=1", "'+1", "'-1", "'@a", "' =1", "'\t=1", "'＝1", "' ＋1", "'－1", "'＠a"];
    expect(cells).toEqual([...asTexts, '"a ""b"", c"']);
  });
});
