import type { NumberedFact } from '../../domain/events';
import { channelMessages, type ChannelMessage } from '../../events/channel-messages';
import { channelName, type ChannelKey } from '../../events/channel-keys';
import type { Logger } from '../../ports/logger';
import { isoTime } from '../../views/format';

/** A numbered fact and its messages, at most one on each channel. */
export class FeedFact {
  readonly seq: number;
  readonly ts: string;
  readonly messages: readonly ChannelMessage[];
  readonly #texts: { data: object; text: string }[] = [];

  constructor(row: NumberedFact, messages: readonly ChannelMessage[]) {
    this.seq = row.seq;
    this.ts = isoTime(row.createdAt);
    this.messages = messages;
  }

  /** The data of one of the messages as text. The text is kept, because messages of a fact share their data. */
  textOf(data: object): string {
    for (const known of this.#texts) if (known.data === data) return known.text;
    const text = JSON.stringify(data);
    this.#texts.push({ data, text });
    return text;
  }
}

/** A fact that cannot be read gets no messages, so that readers still get later facts. */
export function feedFact(row: NumberedFact, logger: Logger): FeedFact {
  return new FeedFact(row, messagesOf(row, logger));
}

function messagesOf(row: NumberedFact, logger: Logger): ChannelMessage[] {
  try {
    return channelMessages(row);
  } catch (err) {
    logger.error({ err, seq: row.seq, kind: row.kind }, 'a fact could not be read');
    return [];
  }
}

/** A message on its channel. Its text is written once for all readers that share this object. */
export class FeedMessage {
  readonly seq: number;
  readonly channel: ChannelKey;
  readonly #fact: FeedFact;
  readonly #message: ChannelMessage;
  readonly #prev: number | null;
  #text: string | null = null;
  #conflatedText: string | null = null;
  #frame: Buffer | null = null;

  /** `prev` is the `seq` of the previous message on the channel. `null` if that `seq` is not known. */
  constructor(fact: FeedFact, message: ChannelMessage, prev: number | null) {
    this.seq = fact.seq;
    this.channel = message.channel;
    this.#fact = fact;
    this.#message = message;
    this.#prev = prev;
  }

  /** The market whose price the message contains. `null` on every channel except `prices`. */
  get pricedMarket(): number | null {
    return this.#message.event === 'price' ? this.#message.data.marketId : null;
  }

  get text(): string {
    return (this.#text ??= this.#write({ prev: this.#prev }));
  }

  /**
   * The text for readers with `conflate`. A price has no `prev` here, because earlier prices may have been left
   * out.
   */
  get conflatedText(): string {
    if (this.pricedMarket === null) return this.text;
    return (this.#conflatedText ??= this.#write({}));
  }

  /** The bytes that `frame` makes of the text. The bytes are kept for further batches with this message. */
  framed(frame: (text: string) => Buffer): Buffer {
    return (this.#frame ??= frame(this.text));
  }

  #write(prev: { prev?: number | null }): string {
    const { event, marketSeq, data } = this.#message;
    const channel = channelName(this.channel);
    const head = { type: 'event', channel, event, seq: this.seq, ...prev, marketSeq, ts: this.#fact.ts };
    return `${JSON.stringify(head).slice(0, -1)},"data":${this.#fact.textOf(data)}}`;
  }
}
