/**
 * Keeps the data of a client current: by a socket, else by a stream, else by asking. The feed always returns to
 * the best of the three that works. It resumes there, so no message is lost or comes twice.
 */
import { createEventPositions } from './event-positions';
import type { FollowRules } from './follow-rules';
import { openLink, type Connectors, type Link, type LinkListener, type Timers } from './link';
import { ACCOUNT, type EventPosition } from './messages';
import { createSupply, type FeedStatus } from './supply';

export type { FeedStatus };

export interface FeedListener extends Pick<LinkListener, 'event' | 'stale' | 'refused' | 'left'> {
  /** The key was revoked, or is wrong. The feed goes on without it. */
  keyRefused(): void;
  /** The key is valid, but may not read the account. Only a stream tells this way. */
  scopeMissing?(): void;
  /** Another connection supplies the client from now on, or none. */
  relinked?(): void;
  status(status: FeedStatus): void;
}

export interface FeedPorts {
  connectors: Connectors;
  timers: Timers;
  /** In [0, 1). */
  random(): number;
  /** Reads the data again, while there is neither socket nor stream. `null`: the client does not ask. */
  ask: (() => Promise<void>) | null;
}

export interface FeedWishes {
  channels: readonly string[];
  rules: FollowRules;
  /** The key with which the feed begins. */
  apiKey?: string | undefined;
  /** Where all channels begin. */
  since?: EventPosition | undefined;
}

export interface Feed {
  start(): void;
  /** The key of the wallet that the client follows, or `null`. */
  useKey(apiKey: string | null): void;
  /** Follows these channels from now on, and no others. */
  useChannels(channels: readonly string[]): void;
  /** A hidden page gives up its stream, because a browser allows a server few of them. */
  setVisible(visible: boolean): void;
  /** The network may be back. */
  wake(): void;
  /** Called when the network is away. The connection may not have noticed it yet. */
  interrupt(): void;
  /** Ends the feed for good. */
  close(): void;
}

export function createFeed(wishes: FeedWishes, ports: FeedPorts, listener: FeedListener): Feed {
  const { rules, since } = wishes;
  let { channels } = wishes;
  const positions = createEventPositions(rules);
  if (since !== undefined) positions.resume([...channels, ACCOUNT], since);
  let apiKey = wishes.apiKey ?? null;
  let isVisible = true;
  /** `null` before the start. */
  let told: FeedStatus | null = null;
  let link: Link | null = null;
  const supply = createSupply({
    ...ports,
    isWanted: () => channels.length > 0 || apiKey !== null,
    isVisible: () => isVisible,
    changed: tell,
    open: (kind, events) =>
      openLink({ kind, channels, apiKey, positions, rules }, ports, {
        ...events,
        ...listener,
        keyRefused() {
          apiKey = null;
          listener.keyRefused();
        },
        scopeMissing() {
          apiKey = null;
          listener.scopeMissing?.();
        },
        changed: tell,
      }),
  });

  function tell(): void {
    if (supply.current() !== link) {
      link = supply.current();
      listener.relinked?.();
    }
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
      // The feed has not started yet. `start` will connect.
      if (told === null) return;
      supply.useKey(next);
      // Without channels the client follows only the account of the wallet.
      if (channels.length === 0) roundIfIdle();
      tell();
    },
    useChannels(next) {
      for (const channel of channels) if (!next.includes(channel)) positions.forget(channel);
      channels = next;
      if (told === null) return;
      supply.useChannels(next);
      roundIfIdle();
      tell();
    },
    setVisible(visible) {
      isVisible = visible;
      if (visible) roundIfIdle();
      else supply.leaveStream();
    },
    wake: roundIfIdle,
    interrupt() {
      supply.interrupt();
      tell();
    },
    close: supply.close,
  };
}
