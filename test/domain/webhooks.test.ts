import fc from 'fast-check';
import {
  activeSecrets,
  enabled,
  failedAgain,
  GIVE_UP_AFTER_MS,
  isDue,
  MOST_SECRETS,
  movedTo,
  pastLost,
  replayedFrom,
  retryPauseMs,
  rotated,
  type Webhook,
} from '../../src/domain/webhooks';
import { sampleWebhook } from '../../testing/storage-conformance/webhook-samples';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const HOUR = 3_600_000;
const webhook = (fields: Partial<Webhook> = {}): Webhook => ({ ...sampleWebhook(), id: 1, ...fields });
const FAILURE = { reason: 'the receiver answered HTTP 500', isGone: false, retryAfterMs: null };
/** The random number 0.5 gives each pause its exact length. */
const MIDDLE = 0.5;

describe('a webhook that fails', () => {
  it('is tried again after 1 s, 5 s, 30 s, 5 min, 30 min, then every hour', () => {
    const pauses = Array.from({ length: 8 }, (_, index) => retryPauseMs(index + 1, MIDDLE) / 1_000);
    expect(pauses).toEqual([1, 5, 30, 300, 1_800, 3_600, 3_600, 3_600]);
  });

  it('is tried again at a time that chance moves by up to a tenth', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
        const [pause, middle] = [retryPauseMs(failures + 1, chance), retryPauseMs(failures + 1, MIDDLE)];
        expect(Math.abs(pause - middle)).toBeLessThanOrEqual(0.1 * middle + 1);
      }),
    );
  });

  it('is disabled by the first failure three days after the first one, and by none before', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (chances) => {
        let now = NOW;
        let failing = failedAgain(webhook(), FAILURE, now, MIDDLE);
        let attempts = 1;
        for (const chance of chances) {
          if (failing.status === 'disabled') break;
          expect(isDue(failing, (failing.nextAttemptAt ?? 0) - 1)).toBe(false);
          now = failing.nextAttemptAt ?? 0;
          expect(isDue(failing, now)).toBe(true);
          expect(now - NOW).toBeLessThanOrEqual(GIVE_UP_AFTER_MS);
          failing = failedAgain(failing, FAILURE, now, chance);
          attempts += 1;
        }
        expect(now - NOW).toBe(GIVE_UP_AFTER_MS);
        expect(failing.disabledReason).toBe('failed for three days: the receiver answered HTTP 500');
        expect(attempts).toBeGreaterThan(60);
      }),
      { numRuns: 20 },
    );
  });

  it('is disabled at once when its receiver is gone', () => {
    const gone = failedAgain(webhook(), { ...FAILURE, isGone: true }, NOW, MIDDLE);
    expect(gone).toMatchObject({ status: 'disabled', failures: 1, nextAttemptAt: null, seq: 5 });
    expect(isDue(gone, NOW + HOUR)).toBe(false);
  });

  it('is left alone as long as the receiver asks for, an hour at most', () => {
    const next = (retryAfterMs: number) =>
      (failedAgain(webhook(), { ...FAILURE, retryAfterMs }, NOW, MIDDLE).nextAttemptAt ?? 0) - NOW;
    expect([0, 500, 60_000, 9 * HOUR].map(next)).toEqual([1_000, 1_000, 60_000, HOUR]);
  });

  it('is due when a wrong clock has set its next attempt years ahead', () => {
    expect(isDue(webhook({ nextAttemptAt: NOW + 1_000 * HOUR }), NOW)).toBe(true);
  });

  it('continues from its position when it is enabled, and fails no more once a fact is delivered', () => {
    const failing = failedAgain(
      webhook({ lost: { from: 2, to: 3 } }),
      { ...FAILURE, isGone: true },
      NOW,
      MIDDLE,
    );
    const again = enabled(failing);
    expect(again).toMatchObject({ status: 'enabled', seq: 5, failures: 0, lost: null, disabledReason: null });
    expect(again.revision).toBeGreaterThan(failing.revision);
    const moved = movedTo(failedAgain(again, FAILURE, NOW, MIDDLE), 6);
    expect(moved).toMatchObject({ seq: 6, failures: 0, failingSince: null, nextAttemptAt: null });
  });
});

describe('the position of a webhook', () => {
  it('moves back for a replay, and its status stays', () => {
    const replayed = replayedFrom(webhook({ seq: 900, status: 'disabled', revision: 7 }), 17);
    expect(replayed).toMatchObject({ seq: 16, status: 'disabled', revision: 8 });
  });

  it('moves past facts that were removed, which it remembers', () => {
    const first = pastLost(webhook({ seq: 5 }), { from: 6, to: 9 });
    expect(first).toMatchObject({ seq: 9, lost: { from: 6, to: 9 } });
    expect(pastLost(first, { from: 12, to: 14 }).lost).toEqual({ from: 6, to: 14 });
  });
});

describe('the secrets of a webhook', () => {
  const rotate = (given: Webhook, secret: string, overlapMs: number, now: number): Webhook => {
    const result = rotated(given, secret, overlapMs, now);
    if (result === null) throw new Error('too many secrets');
    return result;
  };
  const signing = (given: Webhook, now: number) => activeSecrets(given, now).map(({ secret }) => secret);

  it('sign both until the overlap is over', () => {
    const both = rotate(webhook(), 'new', HOUR, NOW);
    expect(signing(both, NOW)).toEqual(['new', 'whsec_bmV3']);
    expect(signing(both, NOW + HOUR - 1)).toEqual(['new', 'whsec_bmV3']);
    expect(signing(both, NOW + HOUR)).toEqual(['new']);
  });

  it('end at once without an overlap, also those that would have gone on', () => {
    const both = rotate(webhook(), 'second', HOUR, NOW);
    expect(signing(rotate(both, 'third', 0, NOW), NOW)).toEqual(['third']);
  });

  it('are given no longer time by a later rotation, and are limited in number', () => {
    const second = rotate(webhook(), 'second', HOUR, NOW);
    const third = rotate(second, 'third', 9 * HOUR, NOW);
    expect(signing(third, NOW + HOUR)).toEqual(['third', 'second']);
    let full = webhook();
    for (let number = 1; number < MOST_SECRETS; number += 1) full = rotate(full, `${number}`, HOUR, NOW);
    expect(rotated(full, 'one more', HOUR, NOW)).toBeNull();
    expect(signing(rotate(full, 'later', HOUR, NOW + HOUR), NOW + HOUR)).toEqual(['later', '4']);
  });
});
