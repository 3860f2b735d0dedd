import { createServerWatch } from '../../adapters/shared/sql/server-watch';
import { storageLost, translate } from '../../adapters/shared/sql/driver-errors';

const lost = (): unknown => translate(storageLost(new Error('terminating connection')));
const withCode = (code: string): unknown =>
  translate(Object.assign(new Error('refused'), { name: 'SequelizeDatabaseError', parent: { code } }));

function watched() {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const watch = createServerWatch('postgres');
  watch.logTo({ debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') });
  const fail = (error: unknown): Promise<void> =>
    watch.follow(Promise.reject<void>(error)).catch(() => undefined);
  return { watch, lines, fail, answer: () => watch.follow(Promise.resolve()) };
}

it('the watch says once that the server is away, with the reason of the driver, and once that it answers again', async () => {
  const { lines, fail, answer } = watched();
  await answer();
  for (let failures = 0; failures < 3; failures += 1) await fail(lost());
  await fail(withCode('57P01'));
  expect(lines).toEqual([
    'error storage: the database is away; calls are refused until it answers {"storage":"postgres","reason":"terminating connection"}',
  ]);
  await answer();
  await answer();
  expect(lines.slice(1)).toEqual(['info storage: the database answers again {"storage":"postgres"}']);
});

it('the watch takes no notice of calls that began before the server went away or came back', async () => {
  const { watch, lines, fail, answer } = watched();
  let endEarly = (): void => undefined;
  const beforeOutage = watch.follow(new Promise<void>((resolve) => (endEarly = resolve)));
  await fail(lost());
  let failLate = (_: unknown): void => undefined;
  const duringOutage = watch.follow(new Promise<void>((_, reject) => (failLate = reject)));
  endEarly();
  await beforeOutage;
  expect(lines).toHaveLength(1);
  await answer();
  failLate(lost());
  await duringOutage.catch(() => undefined);
  expect(lines).toHaveLength(2);
});

it('the watch does not take a refused call for an outage: a lock, a time limit, a disk, another audit', async () => {
  const { lines, fail } = watched();
  for (const code of ['55P03', '57014', '53300', '40001', 'SQLITE_BUSY']) await fail(withCode(code));
  await fail(new Error('a defect'));
  expect(lines).toEqual([]);
});
