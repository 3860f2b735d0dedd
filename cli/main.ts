#!/usr/bin/env node
/** The program `express-prediction-market`. */
import { askOnTerminal } from './ask';
import { NO_RESULT } from './failures';
import { isInstalled } from './package';
import { runCommandLine } from './program';
import { terminalProgress } from './progress';

let stop: AbortController | null = null;

/** Until a command asks for the signal, Ctrl-C ends the process at once. */
function stopSignal(): AbortSignal {
  if (stop !== null) return stop.signal;
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // The second signal ends the process at once.
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  stop = controller;
  return controller.signal;
}

// A reader such as `head` may close the pipe: the command ends without an error. After any other error, such
// as a full disk, the result is lost.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: standard output: ${error.message}\n`, () => process.exit(NO_RESULT));
});

// Without a listener, a closed standard error would end the process with 1, even a server that only prints its banner.
process.stderr.on('error', () => undefined);

void runCommandLine(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  print: (line) => void process.stdout.write(`${line}\n`),
  tell: (line) => void process.stderr.write(`${line}\n`),
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  choose: askOnTerminal,
  progress: terminalProgress,
  get stop() {
    return stopSignal();
  },
  fetch,
  isInstalled,
}).then((exitCode) => {
  // A server that could not start may have left a port or a connection open.
  if (exitCode !== 0) process.exit(exitCode);
});
