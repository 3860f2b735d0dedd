import type { Oracle, OracleAnswer, OracleOutcome, OracleQuestion } from '../src/ports/oracle';

/** An oracle that says what the test tells it to; at first it abstains. */
export interface FakeOracle extends Oracle {
  /** Everything that it was asked, oldest first. */
  readonly questions: readonly OracleQuestion[];
  /** Answers so from now on; what is left out follows from the outcome (YES and NO: confidence 1). */
  answer(outcome: OracleOutcome, details?: Partial<OracleAnswer>): void;
  /** Rejects from now on. */
  fail(error?: Error): void;
  /** Lets questions wait from now on, until the function that it returns is called. */
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
