import type { Alarm, AlarmName } from '../domain/alarms';
import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';

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
