/** Sends the messages of a socket, and decides what happens when the client does not take them. */
import type { FeedMessage } from '../feed/feed-message';
import { feedBatch } from '../feed/message-batch';
import type { FeedBatch } from '../feed/types';
import type { SocketWriter } from './socket-writer';

/**
 * A client is behind when more bytes than this wait for it. Then no further missed facts are read for it, and its
 * prices are conflated if it has asked for that.
 */
const BEHIND_BYTES = 65_536;
/**
 * An answer with more bytes than this may wait beyond the limit. It is large because the client has asked for
 * much, such as the state of hundreds of markets.
 */
const LARGE_ANSWER_BYTES = 262_144;

/**
 * Prices that were held back are sent before these messages, because these messages begin or end
 * subscriptions.
 */
const ENDS_AND_BEGINNINGS = new Set(['subscribed', 'resync', 'unsubscribed']);

/** The bytes of the batch, without the few bytes of its frames. */
function bytesOf({ messages, conflate }: FeedBatch): number {
  const texts = messages.map((message) => (conflate ? message.conflatedText : message.text));
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export interface SendBuffer {
  /** Sends an answer, or another message to this client alone. Returns its bytes. */
  send(message: { type: string }): number;
  deliver(batch: FeedBatch): void;
  heartbeat(message: object): void;
  /** Resolves when at most `BEHIND_BYTES` wait for the client, or when the buffer has ended. */
  ready(): Promise<void>;
  end(): void;
}

export interface SendBufferOwner {
  /** Called when too many bytes wait for the client. */
  tooSlow(): void;
}

export interface SendBufferOptions {
  writer: SocketWriter;
  /** The bytes that may wait for the client. A large answer or a large page may wait beyond this limit. */
  limit: number;
  owner: SendBufferOwner;
}

export function createSendBuffer(options: SendBufferOptions): SendBuffer {
  return new SocketSendBuffer(options);
}

class SocketSendBuffer implements SendBuffer {
  readonly #writer: SocketWriter;
  readonly #limit: number;
  readonly #owner: SendBufferOwner;
  /**
   * The last price of each market that was held back from the client, by market id. `null`: no price was held
   * back.
   */
  #held: Map<number, FeedMessage> | null = null;
  #waiting: (() => void)[] | null = null;
  #isOpen = true;
  /** Whether the writer will call back when the client has taken bytes. */
  #isListening = false;
  /** The bytes that may wait beyond the limit until the client has taken a large answer or a large page. */
  #allowance = 0;

  constructor({ writer, limit, owner }: SendBufferOptions) {
    this.#writer = writer;
    this.#limit = limit;
    this.#owner = owner;
  }

  send(message: { type: string }): number {
    if (!this.#isOpen) return 0;
    if (ENDS_AND_BEGINNINGS.has(message.type)) this.#sendHeld();
    const text = JSON.stringify(message);
    const bytes = Buffer.byteLength(text);
    this.#writer.send(text);
    if (bytes > LARGE_ANSWER_BYTES) this.#allow(bytes);
    if (this.#isOverLimit()) this.#owner.tooSlow();
    return bytes;
  }

  deliver(batch: FeedBatch): void {
    if (!this.#isOpen) return;
    const told =
      batch.conflate && (this.#held !== null || this.#isBehind()) ? this.#withoutPrices(batch) : batch;
    if (told.messages.length === 0) return;
    this.#writer.sendBatch(told);
    if (this.#isOverLimit()) this.#weigh(told);
  }

  heartbeat(message: object): void {
    if (this.#isOpen) this.#writer.ping(JSON.stringify(message));
  }

  ready(): Promise<void> {
    if (!this.#isOpen || !this.#isBehind()) return Promise.resolve();
    this.#listen();
    return new Promise((resolve) => (this.#waiting ??= []).push(resolve));
  }

  end(): void {
    this.#isOpen = false;
    this.#held = null;
    this.#drained();
  }

  #isBehind(): boolean {
    return this.#writer.waiting() > BEHIND_BYTES;
  }

  #isOverLimit(): boolean {
    return this.#writer.waiting() > this.#limit + this.#allowance;
  }

  /**
   * Decides whether the page or the client is the reason that too many bytes wait. One page of long facts can
   * exceed the limit. A client that was not behind gets the time to take the page.
   */
  #weigh(page: FeedBatch): void {
    const bytes = page.encoded(bytesOf);
    if (this.#writer.waiting() - bytes > BEHIND_BYTES) return this.#owner.tooSlow();
    this.#allow(bytes);
  }

  #allow(bytes: number): void {
    this.#allowance = Math.max(this.#allowance, bytes);
    this.#listen();
  }

  #sendHeld(): void {
    if (this.#held === null) return;
    const messages = [...this.#held.values()].sort((left, right) => left.seq - right.seq);
    this.#held = null;
    this.#writer.sendBatch(feedBatch(messages, true));
  }

  /** Holds the prices of the batch back. Returns the other messages. */
  #withoutPrices({ messages, conflate }: FeedBatch): FeedBatch {
    const others = messages.filter((message) => {
      const market = message.pricedMarket;
      if (market !== null) (this.#held ??= new Map()).set(market, message);
      return market === null;
    });
    this.#listen();
    return feedBatch(others, conflate);
  }

  /** A quiet socket has no listener, because each listener takes memory. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#writer.afterTaken(() => {
      this.#isListening = false;
      this.#drained();
    });
  }

  #drained(): void {
    if (this.#isOpen && this.#isBehind()) return this.#listen();
    this.#allowance = 0;
    if (this.#isOpen) this.#sendHeld();
    const told = this.#waiting ?? [];
    this.#waiting = null;
    for (const resolve of told) resolve();
  }
}
