/** Logs as JSON lines (pino). What opens a door is kept out twice: by what is logged at all, and by a scrub of every line. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { pino, type DestinationStream, type Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { LogLevel } from './settings';

const SECRETS: [pattern: RegExp, replacement: string][] = [
  [/pmk_[0-9A-Za-z]+/g, 'pmk_[redacted]'],
  // 65 bytes in hex: a signature, wherever it turns up.
  [/0x[0-9a-fA-F]{130}/g, '[redacted signature]'],
  [/\/\/[^\s/@"\\]+@/g, '//[redacted]@'],
];
const SECRET_FIELDS = ['apiKey', 'signature', 'payment', 'authorization', 'adminToken', 'privateKey'];

/** Takes out what looks like a secret, and the given ones in any case. */
export function scrub(line: string, secrets: readonly string[] = []): string {
  return withoutSecrets(secrets)(line);
}

function withoutSecrets(secrets: readonly string[]): (line: string) => string {
  const given = secrets.map((secret): [RegExp, string] => [
    new RegExp(secret.replace(/[^0-9A-Za-z]/g, '\\$&'), 'gi'),
    '[redacted]',
  ]);
  const all = [...SECRETS, ...given];
  return (line) => all.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

export interface LoggerOptions {
  /** Default: standard output. */
  destination?: DestinationStream;
  /** Texts that no line may hold. */
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
 * One line a request. Headers and bodies are never logged: keys, signatures and payments travel there.
 * The query is dropped with them, because people paste keys into addresses.
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
    // The library makes an error, with a stack of its own, of every answer from 500 on: the market has logged the cause.
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
