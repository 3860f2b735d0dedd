import { receiveAnswer } from '../../src/domain/oracle/answer';
import { isDecisive, isValid } from '../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../src/ports/oracle';
import type { Check } from '../conformance/check';
import { insteadOf, shown } from '../conformance/failure';
import { createKit, type Kit } from '../conformance/kit';
import { cameOf, faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { printed, tellsSecret } from '../conformance/secrets';
import { withinLimit } from '../conformance/watch';
import { ORACLE_CONTRACT, type OracleSentence } from './contract';
import { HOOKS } from './hook-names';
import type { OracleConformanceTarget, OracleEvidence, OracleUnderTest } from './types';

/** How a call of `ask` ended. */
export type Ending = { answer: OracleAnswer } | { error: unknown } | { thrown: unknown };

export interface OracleContext {
  made: OracleUnderTest;
  /** Asks the oracle, and returns how the call ended. The given fields replace those of the question. */
  ask(texts?: Partial<OracleQuestion>, signal?: AbortSignal): Promise<Ending>;
  /** How long an oracle that obeys its signal may take to end. */
  soonMs: number;
}

export type OracleSuite = Kit<OracleContext, OracleSentence>;
export type OracleTest = OracleContext & { check: Check<OracleSentence> };

const DEFAULT_SOON_MS = 2_000;

const MEMBERS: Members<Oracle> = {
  name: 'a text',
  role: 'a value?',
  isManual: 'a value?',
  ask: 'a method',
};

/** What the suite needs besides the adapter and its hooks. */
const TARGET = { question: 'a method' } as const;

export function createOracleSuite(runner: ConformanceRunner, target: OracleConformanceTarget): OracleSuite {
  return createKit<OracleUnderTest, OracleContext, OracleSentence>(runner, {
    ...target,
    contract: ORACLE_CONTRACT,
    endless: 'ends',
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'oracle', MEMBERS, TARGET),
    hooks: HOOKS,
    open(made, watch) {
      return {
        context: {
          made,
          soonMs: target.soonMs ?? DEFAULT_SOON_MS,
          ask: (texts = {}, signal) =>
            watch.call('ask', () => endingOf(made, { ...made.question(), ...texts }, signal)),
        },
        end: () => made.destroy(),
      };
    },
  });
}

async function endingOf(
  { oracle }: OracleUnderTest,
  question: OracleQuestion,
  signal: AbortSignal | undefined,
): Promise<Ending> {
  let answering: Promise<OracleAnswer>;
  try {
    answering = signal === undefined ? oracle.ask(question) : oracle.ask(question, { signal });
  } catch (thrown) {
    return { thrown };
  }
  return Promise.resolve(answering).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

// --- steps that several tests take ---

/** Makes the sources report the evidence. `false` if the sources cannot do that. */
export async function known({ made, check }: OracleTest, evidence: OracleEvidence): Promise<boolean> {
  if (!check.given('know', made.know, KNOW)) return false;
  await made.know(evidence);
  return true;
}

/** How the call ended, if it ended soon. Otherwise the test fails with the given sentence. */
export async function soon(
  { check, soonMs }: OracleTest,
  ending: Promise<Ending>,
  label: string,
): Promise<Ending> {
  return withinLimit(ending, soonMs, () => new Error('late')).catch(() =>
    check.by('signal').fail(insteadOf(`${label}: it has not ended after ${soonMs} ms`, 'a rejection soon')),
  );
}

/** Checks that the call rejected with a proper error or gave a usable answer. */
export function checkEnding(t: OracleTest, ending: Ending): void {
  if ('thrown' in ending)
    t.check
      .by('promise')
      .fail(
        insteadOf(`it threw before it returned a promise: ${shown(ending.thrown)}`, 'a promise that rejects'),
      );
  if ('error' in ending) checkError(t, ending.error);
  if ('answer' in ending) checkAnswer(t, ending.answer);
}

const ANSWER = 'an object with `outcome`, `probability` and `confidence`';
const ONE_LINE = 'one line of at most 500 characters, without a stack';
const UNDECIDED = 'an abstention or a rejection';
const LONGEST_MESSAGE = 500;

function checkError({ check, made }: OracleTest, error: unknown): void {
  if (!(error instanceof Error) && Object.prototype.toString.call(error) !== '[object Error]')
    check.by('promise').fail(insteadOf(`it rejected with ${shown(error)}`, 'an `Error`'));
  const { message } = error as Error;
  const by = check.by('message');
  if (message.trim() === '')
    by.fail(insteadOf('it rejected with an error without a message', 'a message in words'));
  const fault = faultOfMessage(message);
  if (fault !== null) by.fail(insteadOf(`it rejected with ${fault}`, ONE_LINE));
  if (tellsSecret(printed(error), secretsOf(made)))
    by.fail(
      'it rejected with an error that contains a secret: in its message, in its fields, or in its cause',
    );
}

export const secretsOf = ({ secrets }: OracleTest['made']): readonly string[] =>
  secrets === false ? [] : (secrets ?? []);

/** What is wrong with a text that operators read; `null` if nothing is. */
function faultOfMessage(message: string): string | null {
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters: ${shown(message)}`;
  return /[\r\n]|\bat .+:\d+:\d+/.test(message)
    ? `a message of several lines or with a stack: ${shown(message)}`
    : null;
}

function checkAnswer(t: OracleTest, answer: OracleAnswer): void {
  const { check, made } = t;
  if (typeof answer !== 'object' || answer === null)
    check.by('promise').fail(insteadOf(`\`ask\` answered ${cameOf(answer)}`, ANSWER));
  const { outcome, probability, confidence, agreement } = answer;
  check
    .by('outcomes')
    .oneOf(outcome, ['YES', 'NO', 'TOO_EARLY', 'AMBIGUOUS', 'UNKNOWN'], '`outcome` of what `ask` answered');
  const side = isDecisive(outcome) ? outcome : null;
  if (!isBetween(probability, side === 'YES' ? 0.5 : 0, side === 'NO' ? 0.5 : 1))
    check
      .by('probability')
      .fail(
        insteadOf(
          `it answered ${outcome} with the probability ${String(probability)}`,
          'the probability of YES, which fits the outcome',
        ),
      );
  if (!isBetween(confidence, 0, 1))
    check
      .by('confidence')
      .fail(insteadOf(`it answered with the confidence ${String(confidence)}`, 'a number from 0 to 1'));
  if (agreement !== undefined && !isBetween(agreement, 0, 1))
    check
      .by('agreement')
      .fail(insteadOf(`it answered with the agreement ${String(agreement)}`, 'a number from 0 to 1'));
  const isList: boolean = answer.citations === undefined || Array.isArray(answer.citations);
  if (!isList)
    check
      .by('addresses')
      .fail(insteadOf(`it answered with the citations ${shown(answer.citations)}`, 'a list'));
  for (const { url } of answer.citations ?? [])
    if (!/^https?:\/\//i.test(String(url)))
      check
        .by('addresses')
        .fail(insteadOf(`it answered with a citation of ${shown(url)}`, 'an http(s) address'));
  checkVotes(t, answer);
  const text = JSON.stringify(answer);
  if (tellsSecret(text, secretsOf(made)))
    check.by('secret').fail('it answered with a text that contains a secret');
}

function checkVotes({ check }: OracleTest, answer: OracleAnswer): void {
  const { votes } = answer;
  if (votes === undefined) return;
  const isList: boolean = Array.isArray(votes);
  if (!isList) check.by('votes').fail(insteadOf(`it answered with the votes ${shown(votes)}`, 'a list'));
  if (votes.length === 0) return;
  for (const { error } of votes) {
    const fault = typeof error === 'string' ? faultOfMessage(error) : null;
    if (fault !== null)
      check.by('voteError').fail(insteadOf(`the \`error\` of a vote is ${fault}`, ONE_LINE));
  }
  const received = receiveAnswer(answer, { oracle: '', latencyMs: 0 }).votes;
  const unusable = received.find((vote, index) => !isValid(vote) && votes[index]?.error === undefined);
  if (unusable !== undefined)
    check
      .by('votes')
      .fail(
        insteadOf(
          `it answered with a vote that cannot be used: ${String(unusable.error)}`,
          'figures that fit, or an `error`',
        ),
      );
  if (received.some(({ oracle }) => oracle === ''))
    check.by('votes').fail(insteadOf('it answered with a vote of a voter without a name', 'a name'));
}

function isBetween(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}

/** Checks that the call ended properly without a YES or NO. */
export function checkUndecided(t: OracleTest, ending: Ending, sentence: OracleSentence, label: string): void {
  checkEnding(t, ending);
  if ('answer' in ending && isDecisive(ending.answer.outcome))
    t.check.by(sentence).fail(insteadOf(`${label}: it answered ${ending.answer.outcome}`, UNDECIDED));
}

/** Checks that the call rejected, or that each vote of its answer is a failed one. */
export function checkRejected(
  t: OracleTest,
  ending: Ending,
  label: string,
  sentence: OracleSentence = 'outage',
): void {
  checkUndecided(t, ending, 'knows', label);
  if (!('answer' in ending)) return;
  const { votes } = receiveAnswer(ending.answer, { oracle: '', latencyMs: 0 });
  if (votes.some(isValid))
    t.check.by(sentence).fail(insteadOf(`${label}: it answered ${ending.answer.outcome}`, 'a rejection'));
}

/** Checks that the call did not reject. */
export function checkAbstained(t: OracleTest, ending: Ending, sentence: OracleSentence, label: string): void {
  if ('error' in ending) {
    checkEnding(t, ending);
    t.check
      .by(sentence)
      .fail(insteadOf(`${label}: it rejected with ${shown(ending.error)}`, 'an abstention, such as UNKNOWN'));
  }
}

/** Checks that the call ended properly with this outcome. */
export function checkOutcome(
  t: OracleTest,
  ending: Ending,
  outcome: 'YES' | 'NO',
  sentence: OracleSentence,
  label: string,
): void {
  checkEnding(t, ending);
  const seen = 'answer' in ending ? ending.answer.outcome : `a rejection: ${shown(endedWith(ending))}`;
  t.check.by(sentence).equal(seen, outcome, label);
}

function endedWith(ending: Ending): unknown {
  return 'error' in ending ? ending.error : ending;
}

const KNOW = 'makes the sources say YES, NO or nothing';
export const STALL = 'makes the sources take questions and never complete an answer';
export const GARBLE = 'makes the sources answer `nonsense(body)` in place of each body';
export const CUT_OFF = 'makes the sources unreachable';
