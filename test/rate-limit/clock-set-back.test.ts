import { createLocalFailures } from '../../src/rate-limit/counters';
import { createExpiringMap } from '../../src/domain/expiring-map';

const DAY_MS = 86_400_000;
const WINDOW_MS = 300_000;
const NOW = Date.parse('2030-01-01T00:00:00Z');

it('an address that failed by the wrong clock is not held up for a day', () => {
  const failures = createLocalFailures(WINDOW_MS);
  for (let count = 0; count < 20; count += 1) failures.record('192.0.2.1', NOW + DAY_MS);
  expect(failures.count('192.0.2.1', NOW + DAY_MS)).toMatchObject({ failures: 20 });
  expect(failures.count('192.0.2.1', NOW)).toEqual({ failures: 0, resetAt: NOW });
});

it('a small step back forgets no failure', () => {
  const failures = createLocalFailures(WINDOW_MS);
  failures.record('192.0.2.1', NOW);
  expect(failures.count('192.0.2.1', NOW - 2_000)).toMatchObject({ failures: 1 });
});

it('what is kept for a lifetime goes again after the clock was set back', () => {
  const kept = createExpiringMap<string, number>(WINDOW_MS);
  kept.set('before', NOW + DAY_MS, 1);
  for (let minute = 0; minute < 60; minute += 1) kept.set(`key ${minute}`, NOW + minute * 60_000, minute);
  // An entry lives between one and two lifetimes of five minutes, and one entry comes each minute. So about ten are
  // left.
  expect(kept.size()).toBeLessThanOrEqual(16);
});
