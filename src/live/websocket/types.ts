import type { LiveConfig } from '../../live-options';
import type { Clock } from '../../ports/clock';
import type { Logger } from '../../ports/logger';
import type { Timers } from '../../ports/timers';
import type { AuthThrottle } from '../../rate-limit/auth-throttle';
import type { KeyAuthenticator } from '../../usecases/keys/key-authenticator';
import type { ConnectionLimiter } from '../connection-limiter';
import type { Feed } from '../feed/types';

export interface SocketParts {
  feed: Feed;
  keys: KeyAuthenticator;
  throttle: AuthThrottle;
  connections: ConnectionLimiter;
  limits: LiveConfig;
  clock: Clock;
  logger: Logger;
  timers: Timers;
  figures: SocketFigures;
  isStarted(): boolean;
}

export interface SocketFigures {
  /** How many sockets are open now. */
  open: number;
  /** How many sockets have been opened since this instance was made. */
  opened: number;
  /** The number of messages of facts that were given to sockets. */
  messages: number;
  /**
   * The number of sockets that this instance has closed, by close code. 1013 means that the client was too
   * slow.
   */
  closed: Record<number, number>;
  /** The number of upgrades that were refused, by HTTP status. */
  refused: Record<number, number>;
}

export function noSockets(): SocketFigures {
  return { open: 0, opened: 0, messages: 0, closed: {}, refused: {} };
}
