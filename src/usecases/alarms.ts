import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';

/**
 * - `payout`: an operator may have to end a withdrawal that was sent.
 * - `insolvency`: withdrawals wait, because the house is not solvent.
 * - `waiting`: a withdrawal has waited for a long time.
 * - `oracle-budget`: rounds of the oracle wait, because the last hour has used up the oracle's budget.
 * - `resolution`: a market waits for an operator, or its resolution is stalled.
 * - `webhook`: a webhook is disabled, or facts were removed before they were delivered to it.
 * - `consumer-stopped`: a consumer handles no facts until an operator acts.
 * - `consumer-hangs`: a handler on this instance works on one fact for too long.
 * - `consumer-parked`: a consumer has put facts aside.
 * - `consumer-retention`: facts older than `eventRetentionDays` are kept, because a consumer has not handled them.
 */
export const ALARM_NAMES = [
  'payout',
  'insolvency',
  'waiting',
  'oracle-budget',
  'resolution',
  'webhook',
  'consumer-stopped',
  'consumer-hangs',
  'consumer-parked',
  'consumer-retention',
] as const;
export type AlarmName = (typeof ALARM_NAMES)[number];

export interface Alarm {
  /** The kind of the alarm. docs/operations.md says what to do. */
  name: AlarmName;
  /** What the alarm is about, such as `withdrawal 7` or `treasury`. */
  subject: string;
  /** What is wrong, in words. */
  reason: string;
  /** When the alarm began, in milliseconds since the epoch. */
  since: number;
}

export interface Alarms {
  /**
   * `found` has all causes of this alarm that exist now. A new cause, or a known cause with a new reason, is logged
   * as an error. A known cause that is missing from `found` is over.
   */
  report(name: AlarmName, found: readonly { subject: string; reason: string }[]): void;
  list(): Alarm[];
}

export function createAlarms({ logger, clock }: { logger: Logger; clock: Clock }): Alarms {
  const standing = new Map<AlarmName, Map<string, Alarm>>();
  return {
    report(name, found) {
      const before = standing.get(name) ?? new Map<string, Alarm>();
      const after = new Map<string, Alarm>();
      for (const { subject, reason } of found) {
        const known = before.get(subject);
        after.set(subject, { name, subject, reason, since: known?.since ?? clock.now() });
        if (known?.reason !== reason) logger.error({ alarm: name, subject, reason }, 'alarm');
      }
      for (const subject of before.keys())
        if (!after.has(subject)) logger.info({ alarm: name, subject }, 'an alarm is over');
      standing.set(name, after);
    },
    list: () => [...standing.values()].flatMap((alarms) => [...alarms.values()]),
  };
}
