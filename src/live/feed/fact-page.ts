/**
 * A page of facts that readers have missed. Its messages are sorted by channel once for all readers of the page.
 */
import type { ChannelMessage } from '../../events/channel-messages';
import type { ChannelKey } from '../../events/channel-keys';
import type { FeedFact } from './feed-message';

export interface PageMessage {
  fact: FeedFact;
  message: ChannelMessage;
  /** The place of the message among all messages of the page. */
  place: number;
}

type ByChannel = ReadonlyMap<ChannelKey, readonly PageMessage[]>;

export class FactPage {
  readonly facts: readonly FeedFact[];
  #byChannel: ByChannel | null = null;

  constructor(facts: readonly FeedFact[]) {
    this.facts = facts;
  }

  /** The messages on these channels, in the order of the page. */
  on(channels: ReadonlySet<ChannelKey>): readonly PageMessage[] {
    const found = this.#listsOf(channels);
    if (found.length <= 1) return found[0] ?? [];
    return found.flat().sort((left, right) => left.place - right.place);
  }

  #listsOf(channels: ReadonlySet<ChannelKey>): (readonly PageMessage[])[] {
    const byChannel = (this.#byChannel ??= sortedByChannel(this.facts));
    const [fewer, others] = channels.size < byChannel.size ? [channels, byChannel] : [byChannel, channels];
    const found: (readonly PageMessage[])[] = [];
    for (const channel of fewer.keys()) {
      const list = others.has(channel) ? byChannel.get(channel) : undefined;
      if (list !== undefined) found.push(list);
    }
    return found;
  }
}

function sortedByChannel(facts: readonly FeedFact[]): ByChannel {
  const sorted = new Map<ChannelKey, PageMessage[]>();
  let place = 0;
  for (const fact of facts) {
    for (const message of fact.messages) {
      const list = sorted.get(message.channel) ?? [];
      list.push({ fact, message, place: (place += 1) });
      sorted.set(message.channel, list);
    }
  }
  return sorted;
}
