import type { EndReason } from '../feed/types';

/**
 * The codes with which this side closes a socket (docs/live.md "Limits and close codes"). For frames that it
 * cannot read, `ws` itself closes with 1002, 1007, 1008 or 1009.
 */
export const CLOSE_CODES = {
  shutdown: 1001,
  malformed: 1002,
  binary: 1003,
  notText: 1007,
  abuse: 1008,
  tooLarge: 1009,
  fault: 1011,
  tooSlow: 1013,
  keyRevoked: 4401,
  silent: 4408,
} as const;

export const END_CODES: Readonly<Record<EndReason, number>> = {
  shutdown: CLOSE_CODES.shutdown,
  fault: CLOSE_CODES.fault,
  'key-revoked': CLOSE_CODES.keyRevoked,
};
