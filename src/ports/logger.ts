/** The part of pino's interface that this library uses. Any logger with these functions fits. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * The field of log lines about a mistake in the host's set-up. The answers to clients do not explain such a
 * mistake.
 */
export interface SetUpMistake {
  setUp: 'NOT_STARTED' | 'MOUNTED_TWICE' | 'OPERATORS_AT_ROOT';
}

/**
 * The logger that is used when the host gives none. It reports mistakes in the set-up as warnings of the
 * process, with the mistake as the code, and writes nothing else.
 */
export const setUpLogger: Logger = {
  ...silentLogger,
  warn(fields, message) {
    const { setUp } = fields as Partial<SetUpMistake>;
    if (setUp !== undefined) process.emitWarning(message, { code: setUp });
  },
};

/**
 * Wraps the host's logger, so that a line that cannot be written stops no job and no request: in many places
 * an error of a log call would be lost, or would end the process. The first failure is reported as a warning
 * of the process, because the logger itself cannot report it.
 */
export function guardedLogger(
  logger: Logger,
  report: (warning: string) => void = (warning) => process.emitWarning(warning),
): Logger {
  let isReported = false;
  function failed(error: unknown): void {
    if (isReported) return;
    isReported = true;
    const reason = error instanceof Error ? `: ${error.message}` : '';
    report(`The logger has failed, and lines are lost${reason}`);
  }
  const guarded =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      try {
        // A logger of the host may be asynchronous, although its type does not say so.
        const written: unknown = logger[level](fields, message);
        if (written instanceof Promise) written.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
  return {
    debug: guarded('debug'),
    info: guarded('info'),
    warn: guarded('warn'),
    error: guarded('error'),
  };
}
