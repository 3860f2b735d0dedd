/** The readers of each channel that have caught up and get new facts at once, and the last `seq` of each channel. */
import { BoundedMap } from '../../domain/bounded-map';
import type { ChannelKey } from '../../events/channel-keys';
import { FeedMessage, type FeedFact } from './feed-message';
import { groupName, ReaderGroup, type LiveMember } from './reader-group';

/** How many channels without readers are remembered with their last `seq`. */
const MOST_QUIET_CHANNELS = 10_000;

interface Channel<Member extends LiveMember<Member>> {
  lastSeq: number | null;
  groups: Set<ReaderGroup<Member>>;
}

export interface HandedOut<Member> {
  /** Readers whose channels include an account. */
  withAccount: Member[];
  others: Member[];
}

export class LiveChannels<Member extends LiveMember<Member>> {
  readonly #channels = new Map<ChannelKey, Channel<Member>>();
  /** The last `seq` of channels without readers. */
  readonly #quiet = new BoundedMap<ChannelKey, number>(MOST_QUIET_CHANNELS);
  /** The groups that several members can share, by name. */
  readonly #shared = new Map<string, ReaderGroup<Member>>();

  get count(): number {
    return this.#channels.size;
  }

  readersOf(channel: ChannelKey): Member[] {
    const groups = this.#channels.get(channel)?.groups ?? [];
    return [...groups].flatMap(({ members }) => [...members]);
  }

  /**
   * Replaces the channels of the member. A member with an empty set gets no more messages. The caller must
   * not change the set any more, because the members of a group share one set.
   */
  place(member: Member, channels: ReadonlySet<ChannelKey>, conflate: boolean): void {
    const before = member.group;
    const after = channels.size === 0 ? null : this.#groupFor(channels, conflate);
    if (before === after) return;
    before?.members.delete(member);
    after?.members.add(member);
    member.group = after;
    // The old group is removed at the end, so that a channel of both groups keeps its last `seq`.
    if (before?.members.size === 0) this.#remove(before);
  }

  /**
   * Hands the facts out to the readers of their channels. The facts must follow the facts of the last call.
   * Returns the readers for whom messages wait.
   */
  handOut(facts: readonly FeedFact[]): HandedOut<Member> {
    const touched = new Set<ReaderGroup<Member>>();
    for (const fact of facts)
      for (const message of fact.messages) for (const group of this.#tell(fact, message)) touched.add(group);
    const handedOut: HandedOut<Member> = { withAccount: [], others: [] };
    for (const group of touched) {
      group.handOut();
      (group.hasAccount ? handedOut.withAccount : handedOut.others).push(...group.members);
    }
    return handedOut;
  }

  /** Sets the last `seq` of a channel with readers, if none is known. */
  learnLastSeq(key: ChannelKey, seq: number): void {
    const channel = this.#channels.get(key);
    if (channel !== undefined) channel.lastSeq ??= seq;
  }

  /** Makes the last `seq` of every channel unknown. Called when facts were passed over. */
  forget(): void {
    this.#quiet.clear();
    for (const channel of this.#channels.values()) channel.lastSeq = null;
  }

  #tell(fact: FeedFact, message: FeedFact['messages'][number]): Iterable<ReaderGroup<Member>> {
    const channel = this.#channels.get(message.channel);
    if (channel === undefined) {
      this.#quiet.set(message.channel, fact.seq);
      return [];
    }
    const told = new FeedMessage(fact, message, channel.lastSeq);
    channel.lastSeq = fact.seq;
    for (const group of channel.groups) group.add(told);
    return channel.groups;
  }

  #groupFor(channels: ReadonlySet<ChannelKey>, conflate: boolean): ReaderGroup<Member> {
    const name = groupName(channels, conflate);
    const known = name === null ? undefined : this.#shared.get(name);
    if (known !== undefined) return known;
    const group = new ReaderGroup<Member>(name, channels, conflate);
    if (name !== null) this.#shared.set(name, group);
    for (const key of channels) this.#channelFor(key).groups.add(group);
    return group;
  }

  #channelFor(key: ChannelKey): Channel<Member> {
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const channel: Channel<Member> = { lastSeq: this.#quiet.get(key) ?? null, groups: new Set() };
    this.#channels.set(key, channel);
    this.#quiet.delete(key);
    return channel;
  }

  #remove(group: ReaderGroup<Member>): void {
    if (group.name !== null) this.#shared.delete(group.name);
    for (const key of group.channels) {
      const channel = this.#channels.get(key);
      channel?.groups.delete(group);
      if (channel === undefined || channel.groups.size > 0) continue;
      this.#channels.delete(key);
      if (channel.lastSeq !== null) this.#quiet.set(key, channel.lastSeq);
    }
  }
}
