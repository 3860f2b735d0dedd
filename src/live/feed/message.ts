/** Facts as the feed keeps them, and the texts of their messages. */
import type { NumberedFact } from '../../domain/events';
import { channelMessages, type ChannelMessage } from '../../events/channel-messages';
import { channelName, type ChannelKey } from '../../events/channels';
import type { Logger } from '../../ports/logger';
import { isoTime } from '../../views/format';
import type { FeedBatch } from './types';

/** A numbered fact and its messages, each on another channel. */
export interface FeedFact {
  readonly seq: number;
  readonly ts: string;
  readonly messages: readonly ChannelMessage[];
}

/** Makes a feed fact. A fact that cannot be read gets no messages, so that readers still get later facts. */
export function feedFact(row: NumberedFact, logger: Logger): FeedFact {
  return { seq: row.seq, ts: isoTime(row.createdAt), messages: messagesOf(row, logger) };
}

function messagesOf(row: NumberedFact, logger: Logger): ChannelMessage[] {
  try {
    return channelMessages(row);
  } catch (err) {
    logger.error({ err, seq: row.seq, kind: row.kind }, 'a fact could not be read');
    return [];
  }
}

/** A message on its channel. It is written as text once for all its readers. */
export class FeedMessage {
  readonly seq: number;
  readonly channel: ChannelKey;
  readonly #message: ChannelMessage;
  readonly #ts: string;
  readonly #prev: number | null;
  #text: string | null = null;
  #conflatedText: string | null = null;

  /** `prev` is the `seq` of the previous message on the channel. `null` if that `seq` is not known. */
  constructor({ seq, ts }: FeedFact, message: ChannelMessage, prev: number | null) {
    this.seq = seq;
    this.channel = message.channel;
    this.#message = message;
    this.#ts = ts;
    this.#prev = prev;
  }

  /** The market whose price the message holds. `null` on other channels than `prices`. */
  get pricedMarket(): number | null {
    return this.#message.event === 'price' ? this.#message.data.marketId : null;
  }

  get text(): string {
    return (this.#text ??= this.#write({ prev: this.#prev }));
  }

  /**
   * The text for readers with `conflate`. Prices may have been left out for such a reader, so the `prev` of a
   * price would look like a loss. Messages of other channels keep their `prev`.
   */
  get conflatedText(): string {
    if (this.pricedMarket === null) return this.text;
    return (this.#conflatedText ??= this.#write({}));
  }

  #write(prev: { prev?: number | null }): string {
    const { event, marketSeq, data } = this.#message;
    const channel = channelName(this.channel);
    const head = { type: 'event', channel, event, seq: this.seq, ...prev, marketSeq, ts: this.#ts };
    return `${JSON.stringify(head).slice(0, -1)},"data":${dataText(data)}}`;
  }
}

/**
 * The data of messages as JSON texts. They are kept, because messages of a fact share their data, and readers
 * that catch up get the same facts again.
 */
const dataTexts = new WeakMap<object, string>();

function dataText(data: object): string {
  const known = dataTexts.get(data);
  if (known !== undefined) return known;
  const text = JSON.stringify(data);
  dataTexts.set(data, text);
  return text;
}

export function feedBatch(messages: readonly FeedMessage[], conflate: boolean): FeedBatch {
  const made = new Map<unknown, unknown>();
  const batch: FeedBatch = {
    messages,
    conflate,
    encoded<T>(encode: (batch: FeedBatch) => T): T {
      if (!made.has(encode)) made.set(encode, encode(batch));
      return made.get(encode) as T;
    },
  };
  return batch;
}
