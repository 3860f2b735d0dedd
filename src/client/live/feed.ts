/**
 * Keeps the data of a client current: by a socket, else by a stream, else by asking. The feed always returns to
 * the best of the three that works. It resumes there, so no message is lost or comes twice.
 */
import { openLink, type Connectors, type Timers } from './link';
import { ACCOUNT, type ChannelEvent, type Snapshot } from './messages';
import { createEventPositions } from './event-positions';
import { createSupply, type FeedStatus } from './supply';

export type { FeedStatus };

export interface FeedListener {
  /** Each message of a channel once and in order. */
  event(event: ChannelEvent): void;
  /** The client has to read its data, as of `seq` or later, because the messages before `seq` are not sent. */
  stale(channels: readonly string[], seq: number, snapshot: Snapshot): void;
  /** The key was revoked, or is wrong. The feed goes on without it. */
  keyRefused(): void;
  status(status: FeedStatus): void;
}

export interface FeedPorts {
  connectors: Connectors;
  timers: Timers;
  /** In [0, 1). */
  random(): number;
  /** Reads the data again, while there is neither socket nor stream. */
  ask(): Promise<void>;
}

export interface Feed {
  start(): void;
  /** The key of the wallet that the client follows, or `null`. */
  useKey(apiKey: string | null): void;
  /** A hidden page gives up its stream, because a browser allows a server few of them. */
  setVisible(visible: boolean): void;
  /** The network may be back. */
  wake(): void;
}

export function createFeed(channels: readonly string[], ports: FeedPorts, listener: FeedListener): Feed {
  const positions = createEventPositions();
  let apiKey: string | null = null;
  let isVisible = true;
  /** `null` before the start. */
  let told: FeedStatus | null = null;
  const supply = createSupply({
    ...ports,
    isWanted: () => channels.length > 0 || apiKey !== null,
    isVisible: () => isVisible,
    changed: tell,
    open: (kind, events) =>
      openLink({ kind, channels, apiKey, positions }, ports, {
        ...events,
        event: listener.event,
        stale: listener.stale,
        keyRefused() {
          apiKey = null;
          listener.keyRefused();
        },
        scopeMissing: () => (apiKey = null),
        changed: tell,
      }),
  });

  function tell(): void {
    const status = supply.status();
    if (status === told) return;
    told = status;
    listener.status(status);
  }

  function roundIfIdle(): void {
    if (told !== null && supply.isIdle()) supply.round();
  }

  return {
    start() {
      supply.round();
      tell();
    },
    useKey(next) {
      if (next === apiKey) return;
      apiKey = next;
      positions.forget(ACCOUNT);
      // Before the start, the start connects.
      if (told === null) return;
      supply.useKey(next);
      // Without channels, only a wallet gives the client something to follow.
      if (channels.length === 0) roundIfIdle();
      tell();
    },
    setVisible(visible) {
      isVisible = visible;
      if (visible) roundIfIdle();
      else supply.leaveStream();
    },
    wake: roundIfIdle,
  };
}
