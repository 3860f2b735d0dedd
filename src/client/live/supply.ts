/**
 * Gets news over the best connection that works. Without a connection the client polls. Failed attempts are
 * repeated, with growing waits between them.
 */
import { createPolling, type PollingPorts } from './polling';
import { backOff } from './back-off';
import { createLadder } from './ladder';
import type { Link, LinkKind, LinkListener } from './link';

/**
 * `connecting`: the first attempt is under way, or there is nothing to follow. `live`: news arrive by
 * themselves. `behind`: news arrive, but messages that were missed before may be outstanding. `polling`: the client
 * reads its data every few seconds. `away`: the server does not answer.
 */
export type FeedStatus = 'connecting' | 'live' | 'behind' | 'polling' | 'away';

export interface SupplyPorts extends Omit<PollingPorts, 'ask'> {
  /** Reads the data again. `null`: the client does not poll. */
  ask: PollingPorts['ask'] | null;
  open(kind: LinkKind, events: Pick<LinkListener, 'welcomed' | 'ended' | 'proved'>): Link;
  /** Whether there is anything to follow. */
  isWanted(): boolean;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
}

export interface Supply {
  status(): FeedStatus;
  /** The connection that supplies the client, or `null`. */
  current(): Link | null;
  /** Whether there is neither a connection nor an attempt to get one. */
  isIdle(): boolean;
  /** Tries now to get a better connection than the present one. */
  climb(): void;
  /** Gives the key to the connections. A connection that cannot take the key is replaced. */
  useKey(apiKey: string | null): void;
  /** Follows these channels. A connection that cannot change its channels is replaced. */
  useChannels(channels: readonly string[]): void;
  /** Called when the network is lost. The connection may not have noticed it yet. */
  interrupt(): void;
  /** Ends everything. */
  close(): void;
  /** Closes a stream and makes no further attempts. A socket stays open. */
  leaveStream(): void;
}

/** A client on a stream tries the socket again after about this time. */
const SOCKET_AGAIN_MS = 60_000;

export function createSupply(ports: SupplyPorts): Supply {
  const { timers, random, isWanted, changed, ask } = ports;
  /** How many attempts and connections have failed in a row. */
  let failures = 0;
  let cancelClimb = (): void => undefined;
  const polling = ask === null ? null : createPolling({ ...ports, ask });
  const ladder = createLadder({
    open: (kind, events) => ports.open(kind, { ...events, proved: () => (failures = 0) }),
    mayUse: (kind) => kind !== 'stream' || ports.isVisible(),
    adopted(kind) {
      polling?.stop();
      cancelClimb();
      if (kind === 'stream') socketAgain();
    },
    failed() {
      if (ladder.current() !== null) return socketAgain();
      polling?.start();
      lost();
    },
    lost,
  });

  function climb(): void {
    cancelClimb();
    if (isWanted()) return ladder.climb();
    ladder.cancel();
    polling?.stop();
  }

  function climbAfter(milliseconds: number): void {
    cancelClimb();
    cancelClimb = timers.after(milliseconds, climb);
  }

  function socketAgain(): void {
    climbAfter(SOCKET_AGAIN_MS * (0.5 + random() / 2));
  }

  function lost(): void {
    climbAfter(backOff(failures, random()));
    failures += 1;
    changed();
  }

  /** Calls `use` with each connection. If it returns `false`, the connection is replaced by a new one. */
  function useOrReplace(use: (link: Link) => boolean): void {
    const current = ladder.current();
    const attempt = ladder.attempt();
    if (current !== null && !use(current)) {
      ladder.close();
      climb();
    } else if (attempt !== null && !use(attempt)) climb();
  }

  return {
    status() {
      const link = ladder.current();
      if (isWanted() && link?.isComplete() === true) return link.isCaughtUp() ? 'live' : 'behind';
      if (isWanted() && link === null && polling?.isAnswered() === true) return 'polling';
      return isWanted() && failures > 0 ? 'away' : 'connecting';
    },
    current: ladder.current,
    isIdle: () => ladder.current() === null && ladder.attempt() === null,
    climb,
    useKey: (apiKey) => useOrReplace((link) => link.useKey(apiKey)),
    useChannels: (channels) => useOrReplace((link) => link.useChannels(channels)),
    interrupt() {
      if (ladder.current() === null && ladder.attempt() === null) return;
      ladder.close();
      lost();
    },
    close() {
      cancelClimb();
      polling?.stop();
      ladder.close();
    },
    leaveStream() {
      if ((ladder.current() ?? ladder.attempt())?.kind !== 'stream') return;
      ladder.close();
      cancelClimb();
      changed();
    },
  };
}
