import { restoreMachineClock, withLaterMachineClock } from '../../testing/conformance/machine-clock';

const DAY_MS = 86_400_000;

it('is restored while the work under another clock still waits', async () => {
  const { Date: ofMachine } = globalThis;
  let end = (): void => undefined;
  const work = withLaterMachineClock(30 * DAY_MS, () => new Promise<void>((resolve) => (end = resolve)));
  expect(Date.now() - ofMachine.now()).toBeGreaterThan(29 * DAY_MS);
  restoreMachineClock();
  expect(globalThis.Date).toBe(ofMachine);
  const next = withLaterMachineClock(DAY_MS, async () => 'done');
  expect(await next).toBe('done');
  end();
  await work;
  expect(globalThis.Date).toBe(ofMachine);
});
