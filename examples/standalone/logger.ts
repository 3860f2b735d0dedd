/**
 * Logs as JSON lines (pino). Two things keep secrets out of the log: most secrets are never logged, and every
 * line is searched for the remaining ones.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { pino, type DestinationStream, type Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import { withoutSecrets } from './scrub';
import type { LogLevel } from './settings';

const SECRET_FIELDS = ['apiKey', 'signature', 'payment', 'authorization', 'adminToken', 'privateKey'];

export interface LoggerOptions {
  /** The stream for log lines. Default: standard output. */
  destination?: DestinationStream;
  /** The secrets that no line may contain. */
  secrets?: readonly string[];
}

export function createLogger(level: LogLevel, { destination, secrets = [] }: LoggerOptions = {}): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    hooks: { streamWrite: withoutSecrets(secrets) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Logs one line for each request. Headers and bodies are never logged, because they contain keys, signatures
 * and payments. The query is not logged either, because people paste keys into addresses.
 */
export function requestLogging(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: () => randomUUID(),
    autoLogging: {
      ignore: (request) => /^(\/api\/v2)?\/(health|ready|metrics)\/?(\?|$)/.test(request.url ?? ''),
    },
    customLogLevel: (_request, response, error) => {
      if (error !== undefined || (response.statusCode >= 500 && response.statusCode !== 503)) return 'error';
      return response.statusCode === 503 ? 'warn' : 'info';
    },
    // The library adds an error with its own stack to every answer from 500 on. This line leaves that error
    // out, because the market has logged the cause.
    customErrorObject: (_request, _response, error, line: object) =>
      /^failed with status code/.test(error.message) ? { ...line, err: undefined } : line,
    customProps: () => ({}),
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage & { id?: unknown; originalUrl?: string; ip?: string }) => ({
        id: request.id,
        method: request.method,
        path: (request.originalUrl ?? request.url ?? '').split('?', 1)[0],
        ip: request.ip ?? request.socket.remoteAddress,
      }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
  });
}
