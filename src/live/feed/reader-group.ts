/** Readers with the same set of channels. Their messages of a tick are put together once. */
import type { ChannelKey } from '../../events/channels';
import { feedBatch, type FeedMessage } from './message';
import type { FeedBatch } from './types';

export interface LiveMember<Member extends LiveMember<Member>> {
  /** The group that the member stands in. Only the live channels set it. */
  group: ReaderGroup<Member> | null;
  deliver(batch: FeedBatch): void;
}

export class ReaderGroup<Member extends LiveMember<Member>> {
  /** `null` for a group of one member that shares with no other. */
  readonly name: string | null;
  readonly channels: ReadonlySet<ChannelKey>;
  readonly members = new Set<Member>();
  readonly #conflate: boolean;
  #waiting: FeedMessage[] = [];

  constructor(name: string | null, channels: ReadonlySet<ChannelKey>, conflate: boolean) {
    this.name = name;
    this.channels = channels;
    this.#conflate = conflate;
  }

  add(message: FeedMessage): void {
    this.#waiting.push(message);
  }

  /** Gives all members what was added. */
  deliver(): void {
    const batch = feedBatch(this.#waiting, this.#conflate);
    this.#waiting = [];
    for (const member of this.members) member.deliver(batch);
  }
}

/**
 * The largest set of channels that readers share. Larger sets are hardly ever equal, and comparing them would
 * take long.
 */
const LARGEST_SHARED_SET = 64;

/** The same for readers that stand in one group. `null` for a set that is not shared. */
export function groupName(channels: ReadonlySet<ChannelKey>, conflate: boolean): string | null {
  if (channels.size > LARGEST_SHARED_SET) return null;
  return [...channels].sort().join(' ') + (conflate ? ' conflated' : '');
}
