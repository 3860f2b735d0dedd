import { ORACLE_OUTCOMES } from '../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleOutcome, OracleQuestion } from '../src/ports/oracle';

/** An oracle whose answers the test sets. At first it abstains. */
export interface FakeOracle extends Oracle {
  /** All questions that the oracle was asked, oldest first. */
  readonly questions: readonly OracleQuestion[];
  /**
   * From now on `ask` resolves with this answer. Details that are left out follow from the outcome: YES and NO
   * have the confidence 1. Figures out of range are passed on, so that a test can see that the service does not
   * believe them.
   */
  answer(outcome: OracleOutcome, details?: Partial<OracleAnswer>): void;
  /** From now on `ask` rejects, with this error. */
  fail(error?: Error): void;
  /** From now on `ask` waits until the returned function is called. */
  hold(): () => void;
}

/** Makes a fake oracle. `createTestMarket` uses one if the test gives no other oracle. */
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

function answerOf(outcome: OracleOutcome): OracleAnswer {
  const decided = outcome === 'YES' || outcome === 'NO';
  return {
    outcome,
    probability: decided ? Number(outcome === 'YES') : 0.5,
    confidence: decided ? 1 : 0,
    reasoning: `The test told the fake oracle to answer ${outcome}.`,
  };
}
