import { ORACLE_OUTCOMES } from '../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleOutcome, OracleQuestion } from '../src/ports/oracle';

/** An oracle whose answers the test sets. At first it abstains. */
export interface FakeOracle extends Oracle {
  /** All questions that the oracle was asked, oldest first. */
  readonly questions: readonly OracleQuestion[];
  /**
   * From now on `ask` resolves with this answer. Details that are left out follow from the outcome: YES and NO
   * have the confidence 1. Throws a TypeError for another outcome and for figures out of range.
   */
  answer(outcome: OracleOutcome, details?: Partial<OracleAnswer>): void;
  /** From now on `ask` rejects, with this error. */
  fail(error?: Error): void;
  /** From now on `ask` waits until the returned function is called. */
  hold(): () => void;
}

export function fakeOracle(): FakeOracle {
  const questions: OracleQuestion[] = [];
  let respond = (): OracleAnswer => answerOf('UNKNOWN');
  let gate = Promise.resolve();
  return {
    name: 'fake',
    questions,
    async ask(question) {
      questions.push(question);
      await gate;
      return respond();
    },
    answer(outcome, details = {}) {
      if (!ORACLE_OUTCOMES.includes(outcome))
        throw new TypeError(
          `the outcome must be one of ${ORACLE_OUTCOMES.join(', ')}, got ${JSON.stringify(outcome)}`,
        );
      checkFigures(details);
      respond = () => ({ ...answerOf(outcome), ...details });
    },
    fail(error = new Error('The fake oracle was told to fail')) {
      respond = () => {
        throw error;
      };
    },
    hold() {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

/** A figure out of range would leave the market unresolved, and only the log would say why. */
function checkFigures(details: Partial<OracleAnswer>): void {
  for (const name of ['probability', 'confidence', 'agreement'] as const) {
    const figure = details[name];
    if (figure !== undefined && !(figure >= 0 && figure <= 1))
      throw new TypeError(`${name} must be from 0 to 1, got ${String(figure)}`);
  }
}

function answerOf(outcome: OracleOutcome): OracleAnswer {
  const decided = outcome === 'YES' || outcome === 'NO';
  return {
    outcome,
    probability: decided ? Number(outcome === 'YES') : 0.5,
    confidence: decided ? 1 : 0,
    reasoning: `The test told the fake oracle to answer ${outcome}.`,
  };
}
