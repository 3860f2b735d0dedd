/** Logs and counts the requests with a wrong operators' token. */
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Clock } from 'express-prediction-market';

export interface WrongTokens {
  /** Counts each wrong token. */
  count(): void;
  logger: Logger;
  /** `undefined`: the clock of the machine. */
  clock: Clock | undefined;
}

const PAUSE_MS = 1_000;

/** Logs at most one line in a second, so that a program which guesses tokens cannot fill the log. */
export function watchWrongTokens({
  count,
  logger,
  clock = { now: Date.now },
}: WrongTokens): (request: Request) => void {
  let last = -Infinity;
  let unlogged = 0;
  return (request) => {
    count();
    const now = clock.now();
    // A clock that was set back must not silence the log.
    if (now >= last && now - last < PAUSE_MS) {
      unlogged += 1;
      return;
    }
    const req = {
      method: request.method,
      path: request.originalUrl.split('?', 1)[0],
      ip: request.ip ?? request.socket.remoteAddress,
    };
    logger.warn({ req, unlogged }, "a request had a wrong operators' token");
    last = now;
    unlogged = 0;
  };
}
