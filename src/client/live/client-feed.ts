/**
 * Keeps the data of a client current: by a socket, else by a stream, else by polling if the client polls. On a new
 * connection each channel resumes or begins anew, as `PositionRules` says.
 */
import { createEventPositions } from './event-positions';
import type { FollowRules } from './follow-rules';
import { openLink, type Connectors, type Link, type LinkListener, type Timers } from './link';
import { ACCOUNT, type EventPosition } from './server-messages';
import { createConnectionManager, type FeedStatus } from './connection-manager';

export type { FeedStatus };

export interface ClientFeedListener extends Pick<LinkListener, 'event' | 'stale' | 'refused' | 'left'> {
  /** The key was revoked, or is wrong. The feed continues without the key. */
  keyRefused(): void;
  /** The key is valid, but may not read the account. Only streams report it with this function. */
  scopeMissing?(): void;
  /** The connection that supplies the client has changed, or was lost. */
  relinked?(): void;
  status(status: FeedStatus): void;
}

export interface ClientFeedPorts {
  connectors: Connectors;
  timers: Timers;
  /** In [0, 1). */
  random(): number;
  /** Reads the data again, while there is neither socket nor stream. `null`: the client does not poll. */
  ask: (() => Promise<void>) | null;
}

export interface ClientFeedOptions {
  channels: readonly string[];
  rules: FollowRules;
  apiKey?: string | undefined;
  /**
   * The client already has every message up to this position. Channels that are not conflated continue after
   * it, if `rules` allow that.
   */
  since?: EventPosition | undefined;
}

export interface ClientFeed {
  start(): void;
  /** Follows the account of this key's wallet from now on. `null`: no account. */
  useKey(apiKey: string | null): void;
  /** Follows these channels from now on, in place of the earlier ones. */
  useChannels(channels: readonly string[]): void;
  /** A hidden page closes its stream, because a browser allows only a few connections to one server. */
  setVisible(visible: boolean): void;
  /** Called when the network may be back. Connects if there is no connection. */
  wake(): void;
  /** Called when the network is lost, which the connection may not have noticed. */
  interrupt(): void;
  close(): void;
}

export function createClientFeed(
  options: ClientFeedOptions,
  ports: ClientFeedPorts,
  listener: ClientFeedListener,
): ClientFeed {
  const { rules, since } = options;
  let { channels } = options;
  const positions = createEventPositions(rules);
  if (since !== undefined) positions.resume([...channels, ACCOUNT], since);
  let apiKey = options.apiKey ?? null;
  let isVisible = true;
  /** The status that the listener got last. `null` before the start. */
  let told: FeedStatus | null = null;
  let link: Link | null = null;
  const connections = createConnectionManager({
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
    if (connections.current() !== link) {
      link = connections.current();
      listener.relinked?.();
    }
    const status = connections.status();
    if (status === told) return;
    told = status;
    listener.status(status);
  }

  function connectIfIdle(): void {
    if (told !== null && connections.isIdle()) connections.tryBetter();
  }

  return {
    start() {
      connections.tryBetter();
      tell();
    },
    useKey(next) {
      if (next === apiKey) return;
      apiKey = next;
      positions.forget(ACCOUNT);
      // The feed has not started yet. `start` will connect.
      if (told === null) return;
      connections.useKey(next);
      // Without channels the feed connects only for a key.
      if (channels.length === 0) connectIfIdle();
      tell();
    },
    useChannels(next) {
      for (const channel of channels) if (!next.includes(channel)) positions.forget(channel);
      channels = next;
      if (told === null) return;
      connections.useChannels(next);
      connectIfIdle();
      tell();
    },
    setVisible(visible) {
      isVisible = visible;
      if (visible) connectIfIdle();
      else connections.leaveStream();
    },
    wake: connectIfIdle,
    interrupt() {
      connections.interrupt();
      tell();
    },
    close: connections.close,
  };
}
