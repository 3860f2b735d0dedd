/** The connection of one reader to the feed: its key, its channels and its catch-ups. */
import type { ApiKey } from '../../domain/types';
import { PredictionMarketError, validationError } from '../../domain/errors';
import { accountChannel, channelName, type ChannelKey } from '../../events/channel-keys';
import type { SubscriptionStart, SubscriptionStarts } from './subscription-start';
import { parseChannels, type ParsedChannels } from './parse-channels';
import type { LiveChannels } from './live-channels';
import type { LiveMember, ReaderGroup } from './reader-group';
import type { CatchUpRunner, Subscription } from './subscription';
import type { EndReason, FeedBatch, FeedReader, Resync, SubscribeRequest, Subscribed } from './types';

export const ACCOUNT_SCOPE = 'account:read';

export interface ConnectionParts {
  live: LiveChannels<Connection>;
  starts: SubscriptionStarts;
  catchUps: CatchUpRunner<Connection>;
  channelLimit: number;
  onKey(connection: Connection): void;
  onClose(connection: Connection): void;
  onFault(err: unknown): void;
}

// Connections share this set and this list while they have none of their own, which saves memory.
const NO_CHANNELS: ReadonlySet<ChannelKey> = new Set();
const NO_SUBSCRIPTIONS: readonly Subscription[] = [];

export class Connection implements LiveMember<Connection> {
  readonly reader: FeedReader;
  group: ReaderGroup<Connection> | null = null;
  waiting: FeedBatch | null = null;
  readonly #parts: ConnectionParts;
  /** The live channels. Connections of a group share the set, so it is replaced and never changed. */
  #live = NO_CHANNELS;
  #subscriptions = NO_SUBSCRIPTIONS;
  #conflate = false;
  #key: ApiKey | null = null;
  #isOpen = true;

  constructor(reader: FeedReader, parts: ConnectionParts) {
    this.reader = reader;
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get key(): ApiKey | null {
    return this.#key;
  }

  get isCatchingUp(): boolean {
    return this.#subscriptions.length > 0;
  }

  authenticate(key: ApiKey): void {
    if (!this.#isOpen) return;
    this.#key = key;
    this.#parts.onKey(this);
  }

  async subscribe(
    { channels: names, since, conflate }: SubscribeRequest,
    accepted: (subscribed: Subscribed) => void,
  ): Promise<void> {
    const parsed = parseChannels(names);
    if (conflate && !parsed.channels.includes('prices'))
      throw validationError([{ field: 'conflate', message: '"conflate" is for the channel prices only' }]);
    const key = parsed.channels.includes('account') ? this.#accountKey() : null;
    const channels = channelKeys(parsed, key);
    this.#requireRoom(channels);
    const contents = { marketIds: parsed.marketIds, accountOf: key };
    const beginning = await this.#parts.starts.find(since, contents);
    if (!this.#isOpen) return;
    if (key !== null && beginning.key !== undefined) {
      this.applyKey(beginning.key);
      // The key may have lost its right to the account. Then the reader does not get the snapshot.
      if (!this.#isOpen) return;
      this.#accountKey();
    }
    this.#begin(channels, conflate, beginning, accepted);
  }

  unsubscribe(names: readonly string[]): void {
    const parsed = parseChannels(names);
    this.#leave(channelKeys(parsed, this.#key));
    this.#place();
  }

  /** Takes over the key as the storage has it now. `null`: the key is not active any more. */
  applyKey(current: ApiKey | null): void {
    if (current === null) return this.end('key-revoked');
    this.#key = current;
    if (!current.scopes.includes(ACCOUNT_SCOPE)) this.#loseAccount(current);
  }

  /**
   * Delivers the batch that waits for the reader. Called before the reader gets anything else: a client resumes
   * from the newest `seq` that it has seen, so no message with a lower `seq` may follow.
   */
  deliverWaiting(): void {
    const batch = this.waiting;
    this.waiting = null;
    if (batch !== null) this.#deliver(batch);
  }

  deliver(batch: FeedBatch): void {
    this.deliverWaiting();
    this.#deliver(batch);
  }

  resync(resync: Resync): void {
    this.deliverWaiting();
    if (this.#isOpen) this.reader.resync(resync);
  }

  #deliver(batch: FeedBatch): void {
    if (!this.#isOpen) return;
    try {
      this.reader.deliver(batch);
    } catch (err) {
      this.#parts.onFault(err);
      this.end('fault');
    }
  }

  /**
   * Called when the reader has got everything that the subscription had missed. The channels then get new facts
   * live.
   */
  join(subscription: Subscription): void {
    this.#keepSubscriptions((other) => other !== subscription);
    this.#live = new Set([...this.#live, ...subscription.channels]);
    this.#place();
    for (const [channel, seq] of subscription.lastSeqs) this.#parts.live.learnLastSeq(channel, seq);
  }

  /** Merges `from` into `into`, which has got the facts up to the same `seq`. Afterwards `from` is empty. */
  merge(into: Subscription, from: Subscription): void {
    for (const channel of from.channels) into.channels.add(channel);
    for (const [channel, seq] of from.lastSeqs) into.lastSeqs.set(channel, seq);
    into.count += from.count;
    from.channels.clear();
    this.#keepSubscriptions((other) => other !== from);
  }

  end(reason: EndReason): void {
    if (!this.#isOpen) return;
    this.close();
    this.reader.end(reason);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#live = NO_CHANNELS;
    this.#subscriptions = NO_SUBSCRIPTIONS;
    this.#place();
    this.#parts.onClose(this);
  }

  #begin(
    channels: Set<ChannelKey>,
    conflate: boolean,
    { at, snapshot, problem }: SubscriptionStart,
    accepted: (subscribed: Subscribed) => void,
  ): void {
    // A new subscription to a channel replaces the old one.
    this.#leave(channels);
    if (channels.has('prices')) this.#conflate = conflate;
    this.#place();
    const shown = [...channels].map(channelName);
    const isResynced = problem !== null;
    accepted({ channels: shown, seq: at, snapshot: isResynced ? null : snapshot, isResynced });
    if (problem !== null && snapshot !== null)
      this.reader.resync({ ...problem, channels: shown, seq: at, snapshot });
    const subscription: Subscription = { channels, conflate, at, lastSeqs: new Map(), count: 1 };
    this.#subscriptions = [...this.#subscriptions, subscription];
    this.#parts.catchUps.follow(this, subscription);
  }

  #accountKey(): ApiKey {
    if (this.#key === null)
      throw new PredictionMarketError('UNAUTHORIZED', 'The channel account needs an API key.');
    if (!this.#key.scopes.includes(ACCOUNT_SCOPE))
      throw new PredictionMarketError(
        'INSUFFICIENT_SCOPE',
        `This API key lacks required scope: ${ACCOUNT_SCOPE}`,
      );
    return this.#key;
  }

  #requireRoom(channels: ReadonlySet<ChannelKey>): void {
    const { channelLimit } = this.#parts;
    const all = new Set([...this.#live, ...channels]);
    for (const subscription of this.#subscriptions)
      for (const channel of subscription.channels) all.add(channel);
    if (all.size <= channelLimit) return;
    const message = `A connection may subscribe to at most ${String(channelLimit)} channels.`;
    throw new PredictionMarketError('SUBSCRIPTION_LIMIT', message);
  }

  #loseAccount({ wallet }: ApiKey): void {
    const account = accountChannel(wallet);
    const isSubscribed =
      this.#live.has(account) || this.#subscriptions.some(({ channels }) => channels.has(account));
    if (!isSubscribed) return;
    this.#leave(new Set([account]));
    this.#place();
    this.reader.scopeLost([channelName(account)]);
  }

  #leave(channels: ReadonlySet<ChannelKey>): void {
    this.#live = new Set([...this.#live].filter((channel) => !channels.has(channel)));
    for (const subscription of this.#subscriptions)
      for (const channel of channels) {
        subscription.channels.delete(channel);
        subscription.lastSeqs.delete(channel);
      }
    this.#keepSubscriptions((subscription) => subscription.channels.size > 0);
  }

  #keepSubscriptions(isKept: (subscription: Subscription) => boolean): void {
    const kept = this.#subscriptions.filter(isKept);
    this.#subscriptions = kept.length === 0 ? NO_SUBSCRIPTIONS : kept;
  }

  #place(): void {
    this.deliverWaiting();
    this.#parts.live.place(this, this.#live, this.#conflate && this.#live.has('prices'));
    this.#live = this.group?.channels ?? NO_CHANNELS;
  }
}

/**
 * The keys of the channels, in the order of the names. Without an API key, the channel `account` is left out.
 */
function channelKeys({ channels }: ParsedChannels, key: ApiKey | null): Set<ChannelKey> {
  const keys = new Set<ChannelKey>();
  for (const channel of channels) {
    if (channel !== 'account') keys.add(channel);
    else if (key !== null) keys.add(accountChannel(key.wallet));
  }
  return keys;
}
