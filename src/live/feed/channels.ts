/**
 * Which readers read which channels live. Readers with the same set of channels form a group. The messages of
 * one page are put together once for a group.
 */
import { BoundedMap } from '../../domain/bounded-map';
import type { ChannelKey } from '../../events/channels';
import { feedBatch, FeedMessage, type FeedFact } from './message';
import type { FeedBatch } from './types';

/** How many channels without readers are remembered with their last `seq`. */
const MOST_QUIET_CHANNELS = 10_000;
/**
 * The largest set of channels that readers share. Larger sets are hardly ever equal, and comparing them would
 * take long.
 */
const LARGEST_SHARED_SET = 64;

export interface LiveMember {
  deliver(batch: FeedBatch): void;
}

interface Group<Member> {
  /** `null` for a group of one member that shares with no other. */
  name: string | null;
  channels: ReadonlySet<ChannelKey>;
  conflate: boolean;
  members: Set<Member>;
  waiting: FeedMessage[];
}

interface Channel<Member> {
  lastSeq: number | null;
  groups: Set<Group<Member>>;
}

export interface LiveChannels<Member extends LiveMember> {
  /** Replaces the channels of the member. A member with an empty set gets no more messages. */
  place(member: Member, channels: ReadonlySet<ChannelKey>, conflate: boolean): void;
  hasReaders(channel: ChannelKey): boolean;
  readersOf(channel: ChannelKey): Member[];
  /**
   * Gives the facts to the readers of their channels. The facts follow those of the last call without a gap.
   */
  handOut(facts: readonly FeedFact[]): void;
  /** Sets the last `seq` of a channel with readers, if this `seq` is not known. */
  learnLastSeq(channel: ChannelKey, seq: number): void;
  /** Makes the last `seq` of every channel unknown. Called when facts were passed over. */
  forget(): void;
  count(): number;
}

export function createLiveChannels<Member extends LiveMember>(): LiveChannels<Member> {
  const channels = new Map<ChannelKey, Channel<Member>>();
  const quiet = new BoundedMap<ChannelKey, number>(MOST_QUIET_CHANNELS);
  const shared = new Map<string, Group<Member>>();
  const groupOf = new Map<Member, Group<Member>>();

  function register(group: Group<Member>): void {
    for (const key of group.channels) {
      let channel = channels.get(key);
      if (channel === undefined) {
        channel = { lastSeq: quiet.get(key) ?? null, groups: new Set() };
        channels.set(key, channel);
        quiet.delete(key);
      }
      channel.groups.add(group);
    }
  }

  function remove(group: Group<Member>): void {
    if (group.name !== null) shared.delete(group.name);
    for (const key of group.channels) {
      const channel = channels.get(key);
      channel?.groups.delete(group);
      if (channel === undefined || channel.groups.size > 0) continue;
      channels.delete(key);
      if (channel.lastSeq !== null) quiet.set(key, channel.lastSeq);
    }
  }

  function groupFor(wanted: ReadonlySet<ChannelKey>, conflate: boolean): Group<Member> {
    const name = nameOf(wanted, conflate);
    const known = name === null ? undefined : shared.get(name);
    if (known !== undefined) return known;
    const made: Group<Member> = {
      name,
      channels: new Set(wanted),
      conflate,
      members: new Set(),
      waiting: [],
    };
    if (name !== null) shared.set(name, made);
    register(made);
    return made;
  }

  /** Adds the message to its channel. Returns the groups that got the message. */
  function tell(fact: FeedFact, message: FeedFact['messages'][number]): Iterable<Group<Member>> {
    const channel = channels.get(message.channel);
    if (channel === undefined) {
      quiet.set(message.channel, fact.seq);
      return [];
    }
    const told = new FeedMessage(fact, message, channel.lastSeq);
    channel.lastSeq = fact.seq;
    for (const group of channel.groups) group.waiting.push(told);
    return channel.groups;
  }

  return {
    place(member, wanted, conflate) {
      const before = groupOf.get(member);
      const after = wanted.size === 0 ? undefined : groupFor(wanted, conflate);
      if (before === after) return;
      before?.members.delete(member);
      after?.members.add(member);
      if (after === undefined) groupOf.delete(member);
      else groupOf.set(member, after);
      // The old group is removed at the end, so that a channel of both groups keeps its last `seq`.
      if (before?.members.size === 0) remove(before);
    },
    hasReaders: (channel) => channels.has(channel),
    readersOf: (channel) => [...(channels.get(channel)?.groups ?? [])].flatMap(({ members }) => [...members]),
    handOut(facts) {
      const touched = new Set<Group<Member>>();
      for (const fact of facts)
        for (const message of fact.messages) for (const group of tell(fact, message)) touched.add(group);
      for (const group of touched) {
        const batch = feedBatch(group.waiting, group.conflate);
        group.waiting = [];
        for (const member of group.members) member.deliver(batch);
      }
    },
    learnLastSeq(key, seq) {
      const channel = channels.get(key);
      if (channel !== undefined) channel.lastSeq ??= seq;
    },
    forget() {
      quiet.clear();
      for (const channel of channels.values()) channel.lastSeq = null;
    },
    count: () => channels.size,
  };
}

function nameOf(channels: ReadonlySet<ChannelKey>, conflate: boolean): string | null {
  if (channels.size > LARGEST_SHARED_SET) return null;
  return [...channels].sort().join(' ') + (conflate ? ' conflated' : '');
}
