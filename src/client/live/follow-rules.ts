import type { PositionRules } from './event-positions';

export interface FollowRules extends PositionRules {
  /**
   * Whether one subscription has all channels that are not conflated. Their messages then come in the order of `seq`.
   * Otherwise each channel has a subscription of its own.
   */
  together: boolean;
  /**
   * After this many milliseconds of silence the client sends a ping on a socket. Without an answer the client closes
   * the socket. Default: no pings.
   */
  pingAfterMs?: number;
}

/** The channels of each subscription on a socket. A conflated channel always has its own. */
export function subscriptionsOf(
  channels: readonly string[],
  { together, conflated }: FollowRules,
): (readonly string[])[] {
  if (!together) return channels.map((channel) => [channel]);
  const whole = channels.filter((channel) => !conflated.has(channel));
  const apart = channels.filter((channel) => conflated.has(channel)).map((channel) => [channel]);
  return whole.length === 0 ? apart : [whole, ...apart];
}
