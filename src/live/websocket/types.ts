import type { LiveConfig } from '../../live-options';
import type { Clock } from '../../ports/clock';
import type { Logger } from '../../ports/logger';
import type { Timers } from '../../ports/timers';
import type { AuthThrottle } from '../../rate-limit/auth-throttle';
import type { KeyAuthenticator } from '../../usecases/keys/key-authenticator';
import type { Connections } from '../connections';
import type { Feed } from '../feed/types';

/** What all sockets of an instance share. */
export interface SocketParts {
  feed: Feed;
  keys: KeyAuthenticator;
  throttle: AuthThrottle;
  connections: Connections;
  limits: LiveConfig;
  clock: Clock;
  logger: Logger;
  timers: Timers;
  figures: SocketFigures;
  isStarted(): boolean;
}

/** Counted since the start of the process, but for `open`. */
export interface SocketFigures {
  open: number;
  opened: number;
  /** Messages of facts that were handed to sockets. */
  messages: number;
  /** Sockets that this instance has closed, by close code. 1013: the client was too slow. */
  closed: Record<number, number>;
  /** Upgrades that were refused, by HTTP status. */
  refused: Record<number, number>;
}

export function noSockets(): SocketFigures {
  return { open: 0, opened: 0, messages: 0, closed: {}, refused: {} };
}
