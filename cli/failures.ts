/** The errors of commands, and what each prints. */
import { CommanderError } from 'commander';
import { linesOf } from '../examples/standalone/one-line';
import { scrub } from '../examples/standalone/scrub';
import { needsAPerson } from './needs-a-person';

/** The audit could not be carried out, so it says nothing about the books. The cause says why. */
export class NoResult extends Error {
  override readonly name = 'NoResult';
}

/** The server did not start, and another start may help. The message is one line. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
}

/** The command has printed why it failed. */
export class FailedCheck extends Error {
  override readonly name = 'FailedCheck';
}

export type ExitCode = 0 | 1 | 2 | 3;

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USE = 2;
/** The books were not read, or the result was not printed. An audit that finds a difference ends with `FAILED`. */
export const NO_RESULT = 3;

export interface Failure {
  exitCode: ExitCode;
  /** Empty if the lines are printed already. Only wrong settings have more than one line. */
  lines: readonly string[];
}

export function failureOf(error: unknown, secrets: readonly string[]): Failure {
  // Commander has printed the help or its own line.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? DONE : WRONG_USE, lines: [] };
  if (error instanceof FailedCheck) return { exitCode: FAILED, lines: [] };
  if (error instanceof NoResult) {
    const { exitCode, lines } = failureOf(error.cause, secrets);
    return { exitCode: exitCode === FAILED ? NO_RESULT : exitCode, lines };
  }
  const isWrongUse = !(error instanceof StartFailed) && needsAPerson(error);
  const lines = linesOf(error).map((line) => `error: ${scrub(line, secrets)}${hintOf(line)}`);
  return { exitCode: isWrongUse ? WRONG_USE : FAILED, lines };
}

/** The hint for a missing database file. The adapter that reports the file does not know the commands. */
function hintOf(line: string): string {
  return line.startsWith('there is no database file ')
    ? '; serve or migrate makes one, and DATABASE_URL names another'
    : '';
}
