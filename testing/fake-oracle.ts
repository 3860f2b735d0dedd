import { ORACLE_OUTCOMES, verdictProblem } from '../src/domain/oracle/vote';
import { checkOptions, withoutUndefined, type Check, type Checks } from '../src/domain/options';
import { unlessAborted } from '../src/ports/time-limit';
import type { Oracle, OracleAnswer, OracleOutcome, OracleQuestion } from '../src/ports/oracle';

/** An oracle whose answers the test sets. At first it abstains. */
export interface FakeOracle extends Oracle {
  /** All questions that the oracle was asked, oldest first. */
  readonly questions: readonly OracleQuestion[];
  /**
   * From now on `ask` resolves with this answer. Details that are left out follow from the outcome: YES and NO
   * have the confidence 1.
   *
   * @throws TypeError for a detail that `OracleAnswer` does not have, and for figures that the service does not believe.
   */
  answer(outcome: OracleOutcome, details?: Partial<OracleAnswer>): void;
  /** From now on `ask` rejects, with this error. */
  fail(error?: Error): void;
  /**
   * From now on `ask` waits until the returned function is called, or until its signal is aborted: then it rejects.
   * `close()` of a test market rejects if a question still waits.
   */
  hold(): () => void;
  /** How many questions wait because of `hold()`. */
  readonly held: number;
}

/** Makes a fake oracle. `createTestMarket` uses one if the test gives no other oracle. */
export function fakeOracle(): FakeOracle {
  const questions: OracleQuestion[] = [];
  let respond = (): OracleAnswer => answerOf('UNKNOWN');
  let gate: Promise<void> | null = null;
  let held = 0;

  async function released(opened: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    held += 1;
    try {
      await (signal === undefined
        ? opened
        : unlessAborted(signal, opened, () => new Error(forgottenHold(held))));
    } finally {
      held -= 1;
    }
  }

  return {
    name: 'fake',
    questions,
    get held() {
      return held;
    },
    async ask(question, { signal } = {}) {
      questions.push(question);
      if (gate !== null) await released(gate, signal);
      return respond();
    },
    answer(outcome, details = {}) {
      const answer = toldAnswer(outcome, details);
      respond = () => ({ ...answer });
    },
    fail(error = new Error('The fake oracle was told to fail')) {
      respond = () => {
        throw error;
      };
    },
    hold() {
      let open = (): void => undefined;
      const closed = new Promise<void>((resolve) => (open = resolve));
      gate = closed;
      return () => {
        if (gate === closed) gate = null;
        open();
      };
    },
  };
}

/** What a test is told that has not called the function that `hold()` returned. */
export const forgottenHold = (held: number): string =>
  `oracle.hold() still holds back ${held === 1 ? 'one question' : `${held} questions`}: ` +
  'call the function that hold() returned before you await runJobs()';

const ofAnyValue: Check = () => undefined;
const DETAILS: Checks<OracleAnswer> = {
  ...{ outcome: ofAnyValue, probability: ofAnyValue, confidence: ofAnyValue, agreement: ofAnyValue },
  ...{ citations: ofAnyValue, reasoning: ofAnyValue, votes: ofAnyValue },
};

function toldAnswer(outcome: OracleOutcome, details: Partial<OracleAnswer>): OracleAnswer {
  if (!ORACLE_OUTCOMES.includes(outcome))
    throw new TypeError(
      `the outcome must be one of ${ORACLE_OUTCOMES.join(', ')}, got ${JSON.stringify(outcome)}`,
    );
  checkOptions('oracle.answer', details, DETAILS);
  const answer = { ...answerOf(outcome), ...withoutUndefined(details) };
  const problem = verdictProblem(answer);
  if (problem !== null) throw new TypeError(`oracle.answer: ${problem}`);
  return answer;
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
