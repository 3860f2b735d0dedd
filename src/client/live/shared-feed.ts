/**
 * One connection for all parts of an app, which can start and stop following a channel at any time. A channel begins
 * with its state, also after a lost connection.
 */
import type { ChannelBeginning } from './channel-work';
import { connectorsOf } from './connectors';
import { KEY_REFUSED, SCOPE_MISSING } from './errors';
import { createClientFeed, type ClientFeed } from './client-feed';
import type { LiveEvent } from './live-messages';
import { ACCOUNT, type Refusal } from './server-messages';
import { followNetwork, followVisibility } from './network';
import type { LiveConnection } from './open-live';
import type { KeyHolder } from '../options';

export interface Follower {
  /** The state of the channel, which is live from now on. */
  begin(beginning: ChannelBeginning): void;
  /** A message of one of the channels. */
  event(event: LiveEvent): void;
  /** The channel is not live any more, until it begins again. */
  lost(): void;
  /** The service will not serve the channel, or the key may not read it. */
  refused(refusal: Refusal): void;
}

export interface SharedFeed {
  /**
   * Follows the channel. A new follower replaces the earlier follower of the channel. Returns a function that stops
   * the following.
   */
  follow(channel: string, follower: Follower): () => void;
}

export interface SharedFeedPorts extends LiveConnection {
  key: Pick<KeyHolder, 'get' | 'onChange'>;
  /** Reads data of the followers again, while there is neither socket nor stream. */
  ask(): Promise<void>;
}

/** The client pings a socket that is silent for this long, so that data of a dead socket are not shown as live. */
const PING_AFTER_MS = 10_000;

export function createSharedFeed(ports: SharedFeedPorts): SharedFeed {
  const followers = new Map<string, Follower>();
  /** The channels that are live on the present connection, each with its beginning. */
  const begun = new Map<string, ChannelBeginning>();
  let feed: ClientFeed | null = null;
  let stop = (): void => undefined;

  function publicChannels(): string[] {
    return [...followers.keys()].filter((channel) => channel !== ACCOUNT);
  }
  function accountKey(): string | null {
    return followers.has(ACCOUNT) ? ports.key.get() : null;
  }

  function lose(): void {
    const lost = [...begun.keys()];
    begun.clear();
    for (const channel of lost) followers.get(channel)?.lost();
  }

  function refused(channels: readonly string[], refusal: Refusal): void {
    const [channel, ...others] = channels;
    // The refusal of a stream does not say which of its channels was refused.
    if (channel === undefined || others.length > 0) return;
    begun.delete(channel);
    followers.get(channel)?.refused(refusal);
  }

  function start(): ClientFeed {
    const made = createClientFeed(
      {
        channels: publicChannels(),
        rules: { conflated: new Set(), mostMissed: 'none', together: false, pingAfterMs: PING_AFTER_MS },
        apiKey: accountKey() ?? undefined,
      },
      { ...ports, connectors: connectorsOf(ports) },
      {
        event: (event) => followers.get(event.channel)?.event(event as LiveEvent),
        stale(beginning) {
          for (const channel of beginning.channels) {
            // Without a follower the beginning of a channel is dropped, because a later follower subscribes again.
            // The account stays subscribed, so its beginning is kept.
            if (channel !== ACCOUNT && !followers.has(channel)) continue;
            begun.set(channel, beginning);
            followers.get(channel)?.begin(beginning);
          }
        },
        refused,
        left: (channels) => channels.forEach((channel) => refused([channel], SCOPE_MISSING)),
        keyRefused: () => refused([ACCOUNT], KEY_REFUSED),
        scopeMissing: () => refused([ACCOUNT], SCOPE_MISSING),
        relinked: lose,
        status: () => undefined,
      },
    );
    const leaveNetwork = followNetwork(made);
    const leavePage = followVisibility(made);
    const leaveKey = ports.key.onChange(() => made.useKey(accountKey()));
    stop = () => {
      leaveKey();
      leaveNetwork();
      leavePage();
      made.close();
      begun.clear();
      feed = null;
    };
    made.start();
    return made;
  }

  function changed(): void {
    if (followers.size === 0) {
      stop();
    } else if (feed === null) {
      feed = start();
    } else {
      feed.useChannels(publicChannels());
      // The account stays on the connection without a follower, because to leave it would need another connection.
      if (followers.has(ACCOUNT)) feed.useKey(accountKey());
    }
  }

  return {
    follow(channel, follower) {
      followers.set(channel, follower);
      const beginning = begun.get(channel);
      if (beginning !== undefined) follower.begin(beginning);
      changed();
      return () => {
        if (followers.get(channel) !== follower) return;
        followers.delete(channel);
        if (channel !== ACCOUNT) begun.delete(channel);
        changed();
      };
    },
  };
}
