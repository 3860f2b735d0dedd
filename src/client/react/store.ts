/** What the hooks of all components share: one connection, and the data of each market once. */
import type { MarketDetail, Position } from '../api.generated';
import type { PredictionMarketClient } from '../create-client';
import { ACCOUNT } from '../live/server-messages';
import { createAccountEntry } from './account-entry';
import type { Entry } from './entry';
import { createMarketEntry } from './market-entry';
import { LOADING, type Source } from './shown';

export interface Store {
  client: PredictionMarketClient;
  market(id: number): Source<MarketDetail>;
  positions(): Source<readonly Position[]>;
}

/**
 * An entry that no component shows is kept for this many milliseconds, so that the next component does not read the
 * data again.
 */
const LINGER_MS = 2_000;
/** While there is no connection, at most this many sources are read at a time. */
const MOST_ASKED = 10;

export function createStore(client: PredictionMarketClient): Store {
  const entries = new Map<string, Held>();
  let asked = 0;

  /** Reads at most `MOST_ASKED` entries at each call, in turn, so that many entries do not use up the quota. */
  async function ask(): Promise<void> {
    const all = [...entries.values()];
    const turn = [...all.slice(asked), ...all.slice(0, asked)].slice(0, MOST_ASKED);
    asked = (asked + turn.length) % Math.max(1, all.length);
    await Promise.all(turn.map(({ entry }) => entry.ask()));
  }
  const feed = client.sharedFeed(ask);

  function hold(channel: string, make: () => Entry<unknown>): Held {
    const known = entries.get(channel);
    if (known !== undefined) return known;
    const entry = make();
    const held: Held = { entry, cancelEnd: () => undefined, unfollow: feed.follow(channel, entry.follower) };
    entries.set(channel, held);
    return held;
  }

  function release(channel: string, held: Held): void {
    held.cancelEnd = client.timers.after(LINGER_MS, () => {
      entries.delete(channel);
      held.unfollow();
      held.entry.end?.();
    });
  }

  /** A source does nothing until a component subscribes. On a server no component subscribes. */
  function source<Data>(channel: string, make: () => Entry<Data>): Source<Data> {
    return {
      subscribe(listener) {
        const held = hold(channel, make as () => Entry<unknown>);
        held.cancelEnd();
        const leave = held.entry.cell.listen(listener);
        return () => {
          leave();
          if (!held.entry.cell.hasListeners()) release(channel, held);
        };
      },
      get: () => (entries.get(channel)?.entry as Entry<Data> | undefined)?.cell.get() ?? LOADING,
    };
  }

  return {
    client,
    market: (id) => source(marketChannel(id), () => createMarketEntry(client, id)),
    positions: () => source(ACCOUNT, () => createAccountEntry(client)),
  };
}

interface Held {
  entry: Entry<unknown>;
  unfollow(): void;
  cancelEnd(): void;
}

function marketChannel(id: number): string {
  return `market:${String(id)}`;
}
