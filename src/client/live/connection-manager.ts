/**
 * Gets messages over the best connection that works, and repeats failed attempts with growing waits. Without a
 * connection a client with `ask` polls.
 */
import { createPolling, type PollingPorts } from './polling';
import { backOff } from './back-off';
import { createTransportFallback } from './transport-fallback';
import type { Link, LinkKind, LinkListener } from './link';

/**
 * `connecting`: the channels are not followed yet, or there is nothing to follow. `live`: messages arrive as the
 * facts happen. `behind`: new messages arrive, but messages that were missed before may be outstanding. `polling`:
 * the client reads its data every few seconds. `away`: the connection was lost, or an attempt has failed.
 */
export type FeedStatus = 'connecting' | 'live' | 'behind' | 'polling' | 'away';

export interface ConnectionManagerPorts extends Omit<PollingPorts, 'ask'> {
  /** Reads the data again. `null`: the client does not poll. */
  ask: PollingPorts['ask'] | null;
  open(kind: LinkKind, events: Pick<LinkListener, 'welcomed' | 'ended' | 'proved'>): Link;
  isWanted(): boolean;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
}

export interface ConnectionManager {
  status(): FeedStatus;
  /** The connection that supplies the client, or `null`. */
  current(): Link | null;
  isIdle(): boolean;
  tryBetter(): void;
  /** A connection that cannot take the key is replaced. */
  useKey(apiKey: string | null): void;
  /** A connection that cannot change its channels is replaced. */
  useChannels(channels: readonly string[]): void;
  interrupt(): void;
  close(): void;
  /** Closes a stream and makes no further attempts. A socket stays open. */
  leaveStream(): void;
}

/** A client on a stream tries a socket again after a random time between half of this and all of it. */
const SOCKET_AGAIN_MS = 60_000;

export function createConnectionManager(ports: ConnectionManagerPorts): ConnectionManager {
  const { timers, random, isWanted, changed, ask } = ports;
  /** How many attempts and connections have failed in a row. */
  let failures = 0;
  let cancelNextTry = (): void => undefined;
  const polling = ask === null ? null : createPolling({ ...ports, ask });
  const transports = createTransportFallback({
    open: (kind, events) => ports.open(kind, { ...events, proved: () => (failures = 0) }),
    mayUse: (kind) => kind !== 'stream' || ports.isVisible(),
    adopted(kind) {
      polling?.stop();
      cancelNextTry();
      if (kind === 'stream') socketAgain();
    },
    failed() {
      if (transports.current() !== null) return socketAgain();
      polling?.start();
      lost();
    },
    lost,
  });

  function tryBetter(): void {
    cancelNextTry();
    if (isWanted()) return transports.tryBetter();
    transports.cancel();
    polling?.stop();
  }

  function tryBetterAfter(milliseconds: number): void {
    cancelNextTry();
    cancelNextTry = timers.after(milliseconds, tryBetter);
  }

  function socketAgain(): void {
    tryBetterAfter(SOCKET_AGAIN_MS * (0.5 + random() / 2));
  }

  function lost(): void {
    tryBetterAfter(backOff(failures, random()));
    failures += 1;
    changed();
  }

  /** Calls `use` with the connection and with the attempt. If `use` returns `false`, a new attempt begins. */
  function useOrReplace(use: (link: Link) => boolean): void {
    const current = transports.current();
    const attempt = transports.attempt();
    if (current !== null && !use(current)) {
      transports.close();
      tryBetter();
    } else if (attempt !== null && !use(attempt)) tryBetter();
  }

  return {
    status() {
      const link = transports.current();
      if (isWanted() && link?.isComplete() === true) return link.isCaughtUp() ? 'live' : 'behind';
      if (isWanted() && link === null && polling?.isAnswered() === true) return 'polling';
      return isWanted() && failures > 0 ? 'away' : 'connecting';
    },
    current: transports.current,
    isIdle: () => transports.current() === null && transports.attempt() === null,
    tryBetter,
    useKey: (apiKey) => useOrReplace((link) => link.useKey(apiKey)),
    useChannels: (channels) => useOrReplace((link) => link.useChannels(channels)),
    interrupt() {
      if (transports.current() === null && transports.attempt() === null) return;
      transports.close();
      lost();
    },
    close() {
      cancelNextTry();
      polling?.stop();
      transports.close();
    },
    leaveStream() {
      if ((transports.current() ?? transports.attempt())?.kind !== 'stream') return;
      transports.close();
      cancelNextTry();
      changed();
    },
  };
}
