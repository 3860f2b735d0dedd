/** What a command gets from the process that runs it. */
import type { Clock, Random } from 'express-prediction-market';
import type { Environment } from '../examples/standalone/checks';

export interface ProgressBar {
  /** Shows how far the work is. */
  show(finished: number, total: number, what: string): void;
  /** Removes the bar. The command then prints its result. */
  end(): void;
}

export interface Choice {
  value: string;
  hint: string;
}

export interface CommandContext {
  environment: Environment;
  /** The folder in which the command was called. */
  folder: string;
  /** Prints one line of the result, to standard output. */
  print(line: string): void;
  /** Prints one line for the person at the terminal, to standard error. */
  tell(line: string): void;
  /** Whether a person can answer questions: standard input and output are a terminal. */
  isInteractive: boolean;
  /** Asks a question on the terminal. Rejects with a `UsageError` when the person cancels it. */
  choose(question: string, choices: readonly Choice[]): Promise<string>;
  /** Shows a bar on a terminal, and nothing elsewhere. */
  progress(title: string): Promise<ProgressBar>;
  /** Aborted when the person wants the command to stop (Ctrl-C, SIGTERM). */
  stop: AbortSignal;
  fetch: typeof fetch;
  /** Whether code of this package can load the package `name`. */
  isInstalled(name: string): boolean;
  clock?: Clock;
  random?: Random;
}
