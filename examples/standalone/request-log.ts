/** One log line for each request. Requests for `UNLOGGED` paths are logged only if their connection has an error. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Balancers and scrapers ask these paths every few seconds. */
const UNLOGGED = /^(\/api\/v2)?\/(health|ready|metrics)\/?(\?|$)/;

/**
 * Headers and bodies are not logged, because they contain keys, signatures and payments. The query is not logged
 * either, because people paste keys into addresses.
 */
export function requestLogging(logger: Logger): RequestHandler {
  // Searching an object for fields with secrets costs time. A line without an error has no such field, so `plain` does
  // not search.
  const plain = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const isUnlogged = UNLOGGED.test(request.url);
    const started = Date.now();
    const req = {
      id: randomUUID(),
      method: request.method,
      path: request.originalUrl.split('?', 1)[0],
      ip: request.ip ?? request.socket.remoteAddress,
    };
    // The log line has the same id, so a caller can report the id to the operators.
    response.setHeader('X-Request-Id', req.id);
    let err: Error | undefined;
    // Without a listener, an error of the connection would end the process.
    response.on('error', (error) => (err ??= error));
    // `close` comes once for every request: after the answer, or after the loss of the connection.
    response.once('close', () => {
      if (isUnlogged && err === undefined) return;
      const { statusCode, writableEnded } = response;
      const line = { req, res: { status: statusCode }, responseTime: Date.now() - started };
      const level = levelOf(statusCode, err);
      if (err !== undefined) logger[level]({ ...line, err }, 'request errored');
      else if (statusCode >= 500) plain[level](line, 'request errored');
      else
        plain[level](
          line,
          writableEnded && !request.readableAborted ? 'request completed' : 'request aborted',
        );
    });
    next();
  };
}

/**
 * A 503 usually means that another service, such as the database, does not answer. The market has logged the
 * cause already, so a warning is enough.
 */
function levelOf(status: number, error: Error | undefined): 'error' | 'warn' | 'info' {
  if (error !== undefined) return 'error';
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}
