import { tickerId } from '../../src/domain/market';
import type { OracleQuestion } from '../../src/ports/oracle';
import { checkOutcome, checkUndecided, known, type OracleSuite, type OracleTest } from './suite';

const NO_MARKET = 'a question of no market, with the texts of a market';

/** No source of a test has a market with so high a number. */
const FAR_AWAY = 1_000_000;

export function identityTests({ describe, test }: OracleSuite): void {
  describe('two markets that could be confused', () => {
    test('get their own answers', 'identity', async (t) => {
      const { decidesBy = t.made.oracle.role === 'judge' ? 'text' : 'market' } = t.made;
      for (const evidence of ['YES', 'NO'] as const) {
        if (!(await known(t, evidence))) return;
        const { marketId, slug } = t.made.question();
        if (decidesBy === 'text') {
          const other = { ...numberOf(FAR_AWAY + (marketId ?? 0)), slug: 'another-market' };
          const label = `another market with the same texts, and sources that say ${evidence}`;
          checkOutcome(t, await t.ask(other), evidence, 'identity', label);
        } else {
          if (marketId === null) noNumber(t);
          for (const taken of [slug, `${slug}-2`]) {
            const ofStranger = { ...numberOf(FAR_AWAY + marketId), slug: taken };
            const label = `market ${FAR_AWAY + marketId}, which has the texts of market ${marketId} and the slug ${taken}`;
            checkUndecided(t, await t.ask(ofStranger), 'identity', label);
          }
          const ofNoMarket = { marketId: null, tickerId: null, slug: null, resolveDate: null };
          checkUndecided(t, await t.ask(ofNoMarket), 'identity', NO_MARKET);
        }
      }
    });
  });
}

function numberOf(marketId: number): Pick<OracleQuestion, 'marketId' | 'tickerId'> {
  return { marketId, tickerId: tickerId(marketId) };
}

function noNumber({ check }: OracleTest): never {
  return check.notChecked(
    "Give `question()` a `marketId` that the sources know, or declare `decidesBy: 'text'` if the oracle judges the texts.",
  );
}
