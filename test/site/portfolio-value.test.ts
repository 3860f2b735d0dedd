import fc from 'fast-check';
import type { Movement } from '../../site/browser/portfolio/statement';
import { knownPoints, thinned, valueOverTime, type Present } from '../../site/browser/portfolio/value';

const START = Date.parse('2026-11-01T00:00:00.000Z');
const MINUTE = 60_000;

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('deposit', 'withdrawal', 'buy', 'sell', 'settlement'),
    marketId: fc.integer({ min: 1, max: 3 }),
    side: fc.constantFrom('YES', 'NO'),
    shares: fc.integer({ min: 1, max: 1000 }),
    percent: fc.integer({ min: 1, max: 99 }),
    micros: fc.integer({ min: 1, max: 1_000_000_000 }),
  }),
  { maxLength: 30 },
);

interface Books {
  cash: number;
  shares: Map<string, number>;
  prices: Map<string, number>;
}

const worth = ({ shares, prices }: Books): number =>
  [...shares].reduce((sum, [name, count]) => sum + count * (prices.get(name) ?? 0), 0);

function lived(list: typeof acts extends fc.Arbitrary<infer T> ? T : never, unlisted: number) {
  const books: Books = { cash: unlisted / 1e6, shares: new Map(), prices: new Map() };
  const movements: Movement[] = [];
  const values: number[] = [];
  for (const [index, act] of list.entries()) {
    const name = `${act.marketId} ${act.side}`;
    const held = books.shares.get(name) ?? 0;
    const isTrade = act.kind === 'buy' || act.kind === 'sell' || act.kind === 'settlement';
    const shares = act.kind === 'buy' ? act.shares : act.kind === 'sell' ? Math.min(held, act.shares) : held;
    const price = act.percent / 100;
    const sign = act.kind === 'buy' || act.kind === 'withdrawal' ? -1 : 1;
    const micros = sign * (isTrade ? Math.round(shares * price * 1e6) : act.micros);
    books.cash += micros / 1e6;
    if (isTrade) {
      books.shares.set(name, act.kind === 'buy' ? held + shares : held - shares);
      books.prices.set(name, price);
    }
    movements.push({
      time: new Date(START + index * MINUTE).toISOString(),
      kind: act.kind as Movement['kind'],
      marketId: isTrade ? act.marketId : null,
      question: '',
      side: isTrade ? act.side : '',
      shares: isTrade ? shares : null,
      price: isTrade ? price : null,
      fee: null,
      micros,
      profit: null,
      reference: '',
    });
    values.push(books.cash + worth(books));
  }
  return { movements, values, books };
}

function presentOf(books: Books, length: number, positionsValue: number): Present {
  const positions = [...books.shares].map(([name, shares]) => {
    const [marketId = '', side = ''] = name.split(' ');
    return { marketId: Number(marketId), side: side as 'YES' | 'NO', shares, currentPrice: 0.5 };
  });
  return { now: START + length * MINUTE, balance: books.cash, positionsValue, positions };
}

describe('the value of an account over time', () => {
  it('is what books that are kept forward say after each movement, and ends with what is there now', () => {
    fc.assert(
      fc.property(acts, fc.nat(1_000_000_000), fc.nat(10_000), (list, unlisted, cents) => {
        const { movements, values, books } = lived(list, unlisted);
        const present = presentOf(books, list.length, cents / 100);
        const points = valueOverTime(movements, present);
        expect(points).toHaveLength(list.length + 1);
        for (const [index, value] of values.entries())
          expect(Math.abs((points[index]?.value ?? NaN) - value)).toBeLessThan(0.006);
        expect(points.at(-1)?.time).toBe(present.now);
        expect(points.at(-1)?.value).toBeCloseTo(present.balance + present.positionsValue, 1);
      }),
    );
  });

  it('is the same for the newest movements alone, once each held side has been traded in them', () => {
    fc.assert(
      fc.property(acts, fc.nat(30), (list, cut) => {
        const { movements, values, books } = lived(list, 0);
        const present = presentOf(books, list.length, 0);
        const from = Math.min(cut, list.length);
        const points = valueOverTime(movements.slice(from), present);
        const traded = new Set(movements.slice(from).map(({ marketId, side }) => `${marketId} ${side}`));
        if (![...books.shares.keys()].every((name) => traded.has(name))) return;
        const last = points.at(-2);
        if (last !== undefined) expect(Math.abs(last.value - (values.at(-1) ?? NaN))).toBeLessThan(0.006);
      }),
    );
  });

  it('leaves out what is older than a list that is cut, and keeps first and last of many points', () => {
    const points = Array.from({ length: 100 }, (_, time) => ({ time, value: time }));
    expect(knownPoints(points, 98).map(({ time }) => time)).toEqual([98, 99]);
    expect(thinned(points, 4).map(({ time }) => time)).toEqual([0, 33, 66, 99]);
    expect(thinned(points, 100)).toEqual(points);
  });
});
