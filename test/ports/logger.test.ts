import { guardedLogger, type Logger } from '../../src/ports/logger';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

function loggerThat(fails: () => void): Logger {
  return { debug: fails, info: fails, warn: fails, error: fails };
}

const throwing = (): never => {
  throw new Error('the disk of the log is full');
};

describe('a guarded logger', () => {
  it.each(LEVELS)('hands each line at the level %s to the host’s logger, as its own method', (level) => {
    const lines: unknown[] = [];
    const host = {
      ...loggerThat(() => undefined),
      [level](this: unknown, fields: object, message: string) {
        lines.push([this === host, fields, message]);
      },
    };
    guardedLogger(host)[level]({ id: 1 }, 'a line');
    expect(lines).toEqual([[true, { id: 1 }, 'a line']]);
  });

  it.each(LEVELS)('does not throw at the level %s when the host’s logger throws', (level) => {
    const reports: string[] = [];
    const logger = guardedLogger(loggerThat(throwing), (report) => reports.push(report));
    logger[level]({}, 'one');
    logger[level]({}, 'two');
    expect(reports).toEqual(['The logger has failed, and lines are lost: the disk of the log is full']);
  });

  it.each(LEVELS)(
    'takes the rejection of a host’s logger that is asynchronous at the level %s',
    async (level) => {
      const reports: string[] = [];
      const rejecting = async (): Promise<void> => throwing();
      guardedLogger(loggerThat(rejecting as () => void), (report) => reports.push(report))[level]({}, 'one');
      await Promise.resolve();
      await Promise.resolve();
      expect(reports).toHaveLength(1);
    },
  );

  it('survives a logger that throws what cannot be shown', () => {
    const reports: string[] = [];
    const unshowable = (): never => {
      throw Object.create(null);
    };
    guardedLogger(loggerThat(unshowable), (report) => reports.push(report)).warn({}, 'one');
    expect(reports).toEqual(['The logger has failed, and lines are lost']);
  });
});
