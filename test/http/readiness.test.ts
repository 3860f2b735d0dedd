import { createReadiness } from '../../src/http/readiness';

const READY = { status: 'ready', checks: { started: true, storage: true, jobs: true } };

it('callers at the same time share one question to the storage, and a later caller asks anew', async () => {
  const pings: { resolve(): void; reject(error: Error): void }[] = [];
  const ping = () => new Promise<void>((resolve, reject) => void pings.push({ resolve, reject }));
  const readiness = createReadiness({
    ...{ storage: { ping }, isStarted: () => true, jobsHealth: () => ({ ok: true }) },
  });
  const both = [readiness(), readiness()];
  expect(pings.length).toBe(1);
  pings[0]?.resolve();
  expect(await Promise.all(both)).toEqual([READY, READY]);
  const later = readiness();
  expect(pings.length).toBe(2);
  pings[1]?.reject(new Error('away'));
  expect(await later).toEqual({ status: 'unavailable', checks: { ...READY.checks, storage: false } });
});

it('an instance whose jobs do not work is not ready, and one that has not started asks no storage', async () => {
  const ping = jest.fn(() => Promise.resolve());
  const jobsHealth = () => ({ ok: false });
  const started = createReadiness({ storage: { ping }, isStarted: () => true, jobsHealth });
  expect(await started()).toEqual({ status: 'unavailable', checks: { ...READY.checks, jobs: false } });
  const early = createReadiness({ storage: { ping }, isStarted: () => false, jobsHealth });
  expect((await early()).checks).toEqual({ started: false, storage: false, jobs: false });
  expect(ping).toHaveBeenCalledTimes(1);
});

it('a storage that throws in place of a rejection is away for this call only', async () => {
  const ping = jest
    .fn<Promise<void>, []>(() => Promise.resolve())
    .mockImplementationOnce(() => {
      throw new Error('away');
    });
  const readiness = createReadiness({
    ...{ storage: { ping }, isStarted: () => true, jobsHealth: () => ({ ok: true }) },
  });
  expect((await readiness()).status).toBe('unavailable');
  expect(await readiness()).toEqual(READY);
});
