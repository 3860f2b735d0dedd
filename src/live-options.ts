/** The limits of sockets and streams, and their defaults. docs/live.md says what clients see of them. */
import { integerBetween, nested, optional, type Check, withoutUndefined } from './domain/options';

export interface LiveOptions {
  /** The most channels of one socket or stream. Default 1,000. */
  channelLimit?: number | undefined;
  /**
   * The most commands of one socket in any 60 seconds. At twice this number the socket is closed. Default
   * 1,200.
   */
  commandLimit?: number | undefined;
  /** The most sockets and streams of one client address. Default 1,000. */
  connectionLimit?: number | undefined;
  /**
   * The seconds between two heartbeats of a socket, and between two comments of a stream. A socket that
   * leaves two pings unanswered is closed. Default 20.
   */
  heartbeatSeconds?: number | undefined;
  /**
   * A socket or a stream is closed when more bytes than this wait for its client. After a large answer, such
   * as a snapshot of many markets, the bytes of that answer may wait in addition. Default 1,048,576.
   */
  waitingBytesLimit?: number | undefined;
  /** The largest command, in bytes. Default 65,536. */
  commandBytesLimit?: number | undefined;
  /** A socket is closed after this many failed `auth` commands. Default 5. */
  failedAuthLimit?: number | undefined;
}

export type LiveConfig = Required<LiveOptions>;

const count = optional(integerBetween(1, 1_000_000));

export const liveCheck: Check = optional(
  nested<LiveOptions>({
    channelLimit: count,
    commandLimit: count,
    connectionLimit: count,
    heartbeatSeconds: optional(integerBetween(1, 3_600)),
    waitingBytesLimit: optional(integerBetween(65_536, 1_073_741_824)),
    commandBytesLimit: optional(integerBetween(1_024, 16_777_216)),
    failedAuthLimit: count,
  }),
);

const DEFAULTS: LiveConfig = {
  channelLimit: 1_000,
  commandLimit: 1_200,
  connectionLimit: 1_000,
  heartbeatSeconds: 20,
  waitingBytesLimit: 1_048_576,
  commandBytesLimit: 65_536,
  failedAuthLimit: 5,
};

export function liveConfig(options: LiveOptions = {}): LiveConfig {
  return { ...DEFAULTS, ...withoutUndefined(options) };
}
