/**
 * Readers with the same set of channels and the same `conflate`. Their messages of one page of facts are put together
 * once.
 */
import { isAccountChannel, type ChannelKey } from '../../events/channel-keys';
import { feedBatch } from './message-batch';
import type { FeedMessage } from './feed-message';
import type { FeedBatch } from './types';

export interface LiveMember<Member extends LiveMember<Member>> {
  /** The group of the member. Only `LiveChannels` sets it. */
  group: ReaderGroup<Member> | null;
  /** What was handed out to the member and not delivered yet. The member delivers it before anything else. */
  waiting: FeedBatch | null;
}

export class ReaderGroup<Member extends LiveMember<Member>> {
  /** `null` for a group that has one member and that no other reader may join. */
  readonly name: string | null;
  readonly channels: ReadonlySet<ChannelKey>;
  readonly members = new Set<Member>();
  readonly hasAccount: boolean;
  readonly #conflate: boolean;
  #added: FeedMessage[] = [];

  constructor(name: string | null, channels: ReadonlySet<ChannelKey>, conflate: boolean) {
    this.name = name;
    this.channels = channels;
    this.hasAccount = [...channels].some(isAccountChannel);
    this.#conflate = conflate;
  }

  add(message: FeedMessage): void {
    this.#added.push(message);
  }

  /** Gives each member the messages that were added since the last call. The member delivers them later. */
  handOut(): void {
    const batch = feedBatch(this.#added, this.#conflate);
    this.#added = [];
    for (const member of this.members) member.waiting = batch;
  }
}

/**
 * The largest set of channels that readers share. Larger sets are hardly ever equal, and comparing them would
 * take long.
 */
const LARGEST_SHARED_SET = 64;

/**
 * The name of the group for these channels: readers with the same name share a group. `null` for a set that
 * is not shared.
 */
export function groupName(channels: ReadonlySet<ChannelKey>, conflate: boolean): string | null {
  if (channels.size > LARGEST_SHARED_SET) return null;
  return [...channels].sort().join(' ') + (conflate ? ' conflated' : '');
}
