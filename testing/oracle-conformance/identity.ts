import { tickerId } from '../../src/domain/market';
import type { OracleQuestion } from '../../src/ports/oracle';
import {
  checkAbstained,
  checkEnding,
  checkOutcome,
  checkUndecided,
  known,
  type Ending,
  type OracleSuite,
  type OracleTest,
} from './suite';

const NO_MARKET = 'a question of no market, with the texts of a market';

/** Added to the number of a market, this gives the number of a market that the sources do not know. */
const FAR_AWAY = 1_000_000;

export function identityTests({ describe, test }: OracleSuite): void {
  describe('a question of no market', () => {
    test(
      'has null in place of the market and its date, and stumbles over none',
      ['noMarket', 'noDate'],
      noMarketTest,
    );
  });

  describe('two markets that could be confused', () => {
    const atOnce = 'are not mixed up when both are asked about at the same time';
    test(atOnce, ['identity', 'unknownMarket'], atOnceTest);

    test('get their own answers', ['identity', 'unknownMarket'], async (t) => {
      const decidesBy = basisOf(t);
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
            checkUnknown(t, await t.ask(ofStranger), label);
          }
          checkUnknown(t, await t.ask(OF_NO_MARKET), NO_MARKET);
        }
      }
    });
  });
}

function basisOf({ made }: OracleTest): 'market' | 'text' {
  return made.decidesBy ?? (made.oracle.role === 'judge' ? 'text' : 'market');
}

/** Asks at the same time about the market of the question and about a market that the sources do not know. */
async function atOnceTest(t: OracleTest): Promise<void> {
  for (const evidence of ['YES', 'NO'] as const) {
    if (!(await known(t, evidence))) return;
    const { marketId } = t.made.question();
    if (marketId === null && basisOf(t) === 'market') noNumber(t);
    const stranger = { ...numberOf(FAR_AWAY + (marketId ?? 0)), slug: 'another-market' };
    const endings = await Promise.all([t.ask(), t.ask(stranger), t.ask(), t.ask(stranger)]);
    for (const [index, ending] of endings.entries()) {
      const isStranger = index % 2 === 1;
      const label = `question ${index + 1} of 4 at the same time, about ${isStranger ? 'another market' : `market ${marketId}`}, with sources that say ${evidence}`;
      if (isStranger && basisOf(t) === 'market') checkUnknown(t, ending, label);
      else checkOutcome(t, ending, evidence, 'identity', label);
    }
  }
}

/** Checks that the oracle abstains about a market that its sources do not know. */
function checkUnknown(t: OracleTest, ending: Ending, label: string): void {
  checkUndecided(t, ending, 'identity', label);
  checkAbstained(t, ending, 'unknownMarket', label);
}

/** A question that is not a market's has `null` in these fields. */
const OF_NO_MARKET = {
  description: null,
  resolutionCriteria: null,
  resolveDate: null,
  ...{ marketId: null, tickerId: null, slug: null, category: null, creator: null },
} as const;

async function noMarketTest(t: OracleTest): Promise<void> {
  const { check, made } = t;
  for (const evidence of ['YES', 'NO', 'NOTHING'] as const) {
    if (made.know !== false && !(await known(t, evidence))) return;
    const ending = await t.ask(OF_NO_MARKET);
    checkEnding(t, ending);
    // Code that expects a text and gets `null` throws an error with such a message.
    const message = 'error' in ending ? (ending.error as Error).message : '';
    if (/\bof null\b|null \(reading/.test(message))
      check.fail(`it rejected a question of no market: ${message}`);
    const answer = 'answer' in ending ? ending.answer.outcome : null;
    const wrong = evidence === 'YES' ? 'NO' : 'YES';
    if (answer === wrong)
      check.fail(`${wrong} to a question of no market, with sources that say ${evidence}`);
  }
}

function numberOf(marketId: number): Pick<OracleQuestion, 'marketId' | 'tickerId'> {
  return { marketId, tickerId: tickerId(marketId) };
}

function noNumber({ check }: OracleTest): never {
  return check.notChecked(
    "Give `question()` a `marketId` that the sources know, or declare `decidesBy: 'text'` if the oracle judges the texts.",
  );
}
