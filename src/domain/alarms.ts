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
