import type { PositionRules } from './event-positions';

export interface FollowRules extends PositionRules {
  /**
   * Whether one subscription has all channels that are not conflated. Then their messages come in the order of `seq`,
   * and these channels share one position. Otherwise each channel is subscribed and resumed by itself.
   */
  together: boolean;
  /**
   * After this many milliseconds of silence the client sends a ping on a socket. If no answer comes, it
   * closes the socket. Default: no pings, only the heartbeats of the server. A stream takes no pings.
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
