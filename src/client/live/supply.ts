/**
 * Gets news over the best connection that works. Without a connection the client asks. Failed attempts
 * are repeated, with growing waits between them.
 */
import { createAsking, type AskingPorts } from './asking';
import { backOff } from './back-off';
import { createLadder } from './ladder';
import type { Link, LinkKind, LinkListener } from './link';

/**
 * `connecting`: the first attempt is under way, or there is nothing to follow. `live`: news arrive by
 * themselves. `asking`: the client asks every few seconds. `away`: the server does not answer.
 */
export type FeedStatus = 'connecting' | 'live' | 'asking' | 'away';

export interface SupplyPorts extends AskingPorts {
  open(kind: LinkKind, events: Pick<LinkListener, 'welcomed' | 'ended' | 'proved'>): Link;
  /** Whether there is anything to follow. */
  isWanted(): boolean;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
}

export interface Supply {
  status(): FeedStatus;
  /** Whether there is neither a connection nor an attempt to get one. */
  isIdle(): boolean;
  /** Tries now to get a better connection than the present one. */
  round(): void;
  /** Gives the key to the connections. One that cannot take it is replaced. */
  useKey(apiKey: string | null): void;
  /** Gives up a stream, and begins nothing new. A socket stays. */
  leaveStream(): void;
}

/** A client on a stream tries the socket again after about this time. */
const SOCKET_AGAIN_MS = 60_000;

export function createSupply(ports: SupplyPorts): Supply {
  const { timers, random, isWanted, changed } = ports;
  /** Attempts and connections that failed in a row. */
  let failures = 0;
  let cancelRound = (): void => undefined;
  const asking = createAsking(ports);
  const ladder = createLadder({
    open: (kind, events) => ports.open(kind, { ...events, proved: () => (failures = 0) }),
    mayUse: (kind) => kind !== 'stream' || ports.isVisible(),
    adopted(kind) {
      asking.stop();
      cancelRound();
      if (kind === 'stream') socketAgain();
    },
    failed() {
      if (ladder.current() !== null) return socketAgain();
      asking.start();
      lost();
    },
    lost,
  });

  function round(): void {
    cancelRound();
    if (isWanted()) return ladder.climb();
    ladder.rest();
    asking.stop();
  }

  function roundAfter(milliseconds: number): void {
    cancelRound();
    cancelRound = timers.after(milliseconds, round);
  }

  function socketAgain(): void {
    roundAfter(SOCKET_AGAIN_MS * (0.5 + random() / 2));
  }

  function lost(): void {
    roundAfter(backOff(failures, random()));
    failures += 1;
    changed();
  }

  return {
    status() {
      const link = ladder.current();
      if (isWanted() && link?.isComplete() === true) return 'live';
      if (isWanted() && link === null && asking.isAnswered()) return 'asking';
      return isWanted() && failures > 0 ? 'away' : 'connecting';
    },
    isIdle: () => ladder.current() === null && ladder.attempt() === null,
    round,
    useKey(apiKey) {
      if (ladder.current()?.useKey(apiKey) === false) {
        ladder.leave();
        round();
      } else if (ladder.attempt()?.useKey(apiKey) === false) round();
    },
    leaveStream() {
      if ((ladder.current() ?? ladder.attempt())?.kind !== 'stream') return;
      ladder.leave();
      cancelRound();
      changed();
    },
  };
}
