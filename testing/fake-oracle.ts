import type { Oracle, OracleAnswer, OracleOutcome, OracleQuestion } from '../src/ports/oracle';

/** An oracle whose answers the test sets. At first it abstains. */
export interface FakeOracle extends Oracle {
  /** All questions, oldest first. */
  readonly questions: readonly OracleQuestion[];
  /**
   * Sets the answer from now on. Details that are left out follow from the outcome (YES and NO: confidence
   * 1).
   */
  answer(outcome: OracleOutcome, details?: Partial<OracleAnswer>): void;
  /** Rejects from now on. */
  fail(error?: Error): void;
  /** Lets questions wait from now on, until the returned function is called. */
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
