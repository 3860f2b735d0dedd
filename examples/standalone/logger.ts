/** Logs as JSON lines (pino). Fields with secrets are redacted, and each line is searched for secrets. */
import { pino, type DestinationStream, type Logger } from 'pino';
import { withoutSecrets } from './scrub';
import type { LogLevel } from './settings';

const SECRET_FIELDS = ['apiKey', 'signature', 'payment', 'authorization', 'adminToken', 'privateKey'];

export interface LoggerOptions {
  /** The stream for log lines. Default: standard output. */
  destination?: DestinationStream;
  /** The secrets that no line may contain. */
  secrets?: readonly string[];
  /** Whether each line names its process. */
  withPid?: boolean;
}

export function createLogger(
  level: LogLevel,
  { destination, secrets = [], withPid = false }: LoggerOptions = {},
): Logger {
  const options = {
    level,
    base: withPid ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    hooks: { streamWrite: withoutSecrets(secrets) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
