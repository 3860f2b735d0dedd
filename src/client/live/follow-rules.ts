/** How a client follows its channels. */
import type { PositionRules } from './event-positions';

export interface FollowRules extends PositionRules {
  /**
   * Whether one subscription has all channels. Then their messages come in the order of `seq`, and all channels share
   * one position. Otherwise each channel is subscribed and resumed by itself.
   */
  together: boolean;
  /**
   * After so many milliseconds of silence the client asks a socket for a sign of life. If none comes, it closes the
   * socket. Default: the client only waits for the heartbeats. A stream cannot be asked.
   */
  askAfterMs?: number;
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
