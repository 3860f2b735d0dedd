import fc from 'fast-check';
import { lmsr } from '../../src/domain/lmsr';
import type { Market } from '../../src/domain/types';
import { marketView } from '../../src/views/market';
import { marketTexts } from '../../src/views/market-texts';
import { NOW, sampleMarket } from '../../testing/storage-conformance/samples';

const few = fc.constantFrom(0n, 1_000_000n, 25_000_000n);
const instant = fc.constantFrom(NOW - 1, NOW, NOW + 1, NOW + 2);

/** The fields have few values, so that equal markets, and markets that differ in one field, are frequent. */
const market: fc.Arbitrary<Market> = fc
  .record({
    id: fc.integer({ min: 1, max: 2 }),
    slug: fc.constantFrom('a', 'b'),
    question: fc.constantFrom('Rain?', 'A "quote", a \\ and \u2028?'),
    category: fc.constantFrom('crypto', 'sports'),
    status: fc.constantFrom('open', 'resolving'),
    createdAt: instant,
    resolveDate: instant,
    liquidityParameter: fc.constantFrom(100_000_000n, 200_000_000n),
    sharesYes: few,
    sharesNo: few,
    pool: few,
    volume: few,
    outcome: fc.constantFrom(null, 'YES' as const, 'NO' as const, 'VOID' as const),
  })
  .map(({ id, outcome, ...fields }) =>
    sampleMarket(id, {
      ...fields,
      ...(outcome === null
        ? {}
        : {
            status: 'resolved' as const,
            resolution: {
              outcome,
              resolvedAt: NOW,
              oracleConsensus: 1,
              method: 'oracle' as const,
              note: null,
            },
          }),
    }),
  );

it('kept texts are the texts of the views, also after any of their fields has changed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(market, instant), { minLength: 2, maxLength: 30 }), (steps) => {
      const textOf = marketTexts(lmsr);
      for (const [one, now] of steps)
        expect(textOf(one, now)).toBe(JSON.stringify(marketView(one, lmsr, now)));
    }),
    { numRuns: 500 },
  );
});

it('kept texts do not follow a caller who changes a market afterwards', () => {
  const textOf = marketTexts(lmsr);
  const one = sampleMarket(1);
  textOf(one, NOW);
  one.question = 'Changed?';
  expect(textOf(one, NOW)).toContain('Changed?');
});

it('texts are kept for a bounded number of markets', () => {
  const views: number[] = [];
  const textOf = marketTexts({
    ...lmsr,
    yesPrice(state) {
      views.push(1);
      return lmsr.yesPrice(state);
    },
  });
  for (let id = 1; id <= 2_000; id += 1) textOf(sampleMarket(id), NOW);
  textOf(sampleMarket(1), NOW);
  expect(views).toHaveLength(2_000);
  textOf(sampleMarket(2_001), NOW);
  textOf(sampleMarket(1), NOW);
  expect(views).toHaveLength(2_002);
});
