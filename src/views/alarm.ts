import type { Alarm, AlarmName } from '../domain/alarms';
import { isoTime } from './format';

export interface AlarmView {
  /** The kind of the alarm. */
  name: AlarmName;
  /** What the alarm is about, such as `withdrawal 7` or `treasury`. */
  subject: string;
  /** What is wrong, in words. */
  reason: string;
  /** When this instance first saw the cause, ISO 8601. */
  since: string;
}

export interface AlarmListView {
  alarms: AlarmView[];
}

export function alarmListView(alarms: readonly Alarm[]): AlarmListView {
  return { alarms: alarms.map((alarm) => ({ ...alarm, since: isoTime(alarm.since) })) };
}
