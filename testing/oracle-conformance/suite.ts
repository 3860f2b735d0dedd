import { receiveAnswer } from '../../src/domain/oracle/answer';
import { isDecisive, isValid } from '../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../src/ports/oracle';
import type { Check } from '../conformance/check';
import { shown } from '../conformance/failure';
import { createKit, type Kit } from '../conformance/kit';
import { cameOf, faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { printed, tellsSecret } from '../conformance/secrets';
import { withinLimit } from '../conformance/watch';
import { ORACLE_CONTRACT, type OracleSentence } from './contract';
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
    check.by('signal').fail(`${label}: it has not ended after ${soonMs} ms`),
  );
}

/** Checks that the call rejected with a proper error or gave a usable answer. */
export function checkEnding(t: OracleTest, ending: Ending): void {
  if ('thrown' in ending)
    t.check.by('promise').fail(`it threw before it returned a promise: ${shown(ending.thrown)}`);
  if ('error' in ending) checkError(t, ending.error);
  if ('answer' in ending) checkAnswer(t, ending.answer);
}

const ANSWER = 'an object with `outcome`, `probability` and `confidence`';
const LONGEST_MESSAGE = 500;

function checkError({ check, made }: OracleTest, error: unknown): void {
  if (!(error instanceof Error) && Object.prototype.toString.call(error) !== '[object Error]')
    check.by('promise').fail(`it rejected with something other than an Error: ${shown(error)}`);
  const { message } = error as Error;
  const by = check.by('message');
  if (message.trim() === '') by.fail('a message without a word');
  const fault = faultOfMessage(message);
  if (fault !== null) by.fail(fault);
  if (tellsSecret(printed(error), secretsOf(made)))
    by.fail('a secret in an error: in its message, in its fields, or in its cause');
}

export const secretsOf = ({ secrets }: OracleTest['made']): readonly string[] =>
  secrets === false ? [] : (secrets ?? []);

/** What is wrong with a text that operators read; `null` if nothing is. */
function faultOfMessage(message: string): string | null {
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters: ${shown(message)}`;
  return /[\r\n]|\bat .+:\d+:\d+/.test(message) ? `the message ${shown(message)}` : null;
}

function checkAnswer(t: OracleTest, answer: OracleAnswer): void {
  const { check, made } = t;
  if (typeof answer !== 'object' || answer === null)
    check.by('promise').fail(`\`ask\` answered ${cameOf(answer)}\nExpected: ${ANSWER}`);
  const { outcome, probability, confidence, agreement } = answer;
  check.by('outcomes').oneOf(outcome, ['YES', 'NO', 'TOO_EARLY', 'AMBIGUOUS', 'UNKNOWN'], 'the outcome');
  const side = isDecisive(outcome) ? outcome : null;
  if (!isBetween(probability, side === 'YES' ? 0.5 : 0, side === 'NO' ? 0.5 : 1))
    check.by('probability').fail(`${outcome} with the probability ${String(probability)}`);
  if (!isBetween(confidence, 0, 1)) check.by('confidence').fail(`the confidence ${String(confidence)}`);
  if (agreement !== undefined && !isBetween(agreement, 0, 1))
    check.by('agreement').fail(`the agreement ${String(agreement)}`);
  const isList: boolean = answer.citations === undefined || Array.isArray(answer.citations);
  if (!isList) check.by('addresses').fail(`citations that are no list: ${shown(answer.citations)}`);
  for (const { url } of answer.citations ?? [])
    if (!/^https?:\/\//i.test(String(url))) check.by('addresses').fail(`a citation of ${shown(url)}`);
  checkVotes(t, answer);
  const text = JSON.stringify(answer);
  if (tellsSecret(text, secretsOf(made))) check.by('secret').fail('a secret in an answer');
}

function checkVotes({ check }: OracleTest, answer: OracleAnswer): void {
  const { votes } = answer;
  if (votes === undefined) return;
  const isList: boolean = Array.isArray(votes);
  if (!isList) check.by('votes').fail(`votes that are no list: ${shown(votes)}`);
  if (votes.length === 0) return;
  for (const { error } of votes) {
    const fault = typeof error === 'string' ? faultOfMessage(error) : null;
    if (fault !== null) check.by('voteError').fail(fault);
  }
  const received = receiveAnswer(answer, { oracle: '', latencyMs: 0 }).votes;
  const unusable = received.find((vote, index) => !isValid(vote) && votes[index]?.error === undefined);
  if (unusable !== undefined)
    check.by('votes').fail(`a vote that cannot be used, without an error: ${String(unusable.error)}`);
  if (received.some(({ oracle }) => oracle === ''))
    check.by('votes').fail('a vote of a voter without a name');
}

function isBetween(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}

/** Checks that the call ended properly without a YES or NO. */
export function checkUndecided(t: OracleTest, ending: Ending, sentence: OracleSentence, label: string): void {
  checkEnding(t, ending);
  if ('answer' in ending && isDecisive(ending.answer.outcome))
    t.check.by(sentence).fail(`${label}: it answered ${ending.answer.outcome}`);
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
  if (votes.some(isValid)) t.check.by(sentence).fail(`${label}: it answered ${ending.answer.outcome}`);
}

/** Checks that the call did not reject. */
export function checkAbstained(t: OracleTest, ending: Ending, sentence: OracleSentence, label: string): void {
  if ('error' in ending) {
    checkEnding(t, ending);
    t.check.by(sentence).fail(`${label}: a rejection: ${shown(ending.error)}`);
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
