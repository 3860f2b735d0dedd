/**
 * What a socket sends, and what happens when its client does not take it. There is one for each of thousands of
 * sockets, so it is a class: functions of its own would be most of the memory of a quiet socket.
 */
import type { FeedMessage } from '../feed/message';
import { feedBatch } from '../feed/message';
import type { FeedBatch } from '../feed/types';
import type { Wire } from './wire';

/** Above this a client is behind: prices are conflated, and what it missed is read no further. */
const BEHIND_BYTES = 65_536;
/** An answer above this is large on purpose, such as the state of hundreds of markets. */
const LARGE_ANSWER_BYTES = 262_144;

/** After these messages, a price that was held back would belong to the time before. */
const ENDS_AND_BEGINNINGS = new Set(['subscribed', 'resync', 'unsubscribed']);

export interface Outlet {
  /** An answer, or another message to this client alone. */
  send(message: { type: string }): void;
  deliver(batch: FeedBatch): void;
  heartbeat(message: object): void;
  /** Fulfils when little waits for the client, or the outlet has ended. */
  ready(): Promise<void>;
  end(): void;
}

export interface OutletOptions {
  wire: Wire;
  /** More bytes than this may not wait for the client. */
  limit: number;
  onTooSlow(): void;
}

export function createOutlet(options: OutletOptions): Outlet {
  return new SocketOutlet(options);
}

class SocketOutlet implements Outlet {
  readonly #wire: Wire;
  readonly #limit: number;
  readonly #onTooSlow: () => void;
  /** The last price of each market that the client has not got yet. `null`: none. */
  #held: Map<number, FeedMessage> | null = null;
  #waiting: (() => void)[] | null = null;
  #isOpen = true;
  /** What a large answer may take beyond the limit until the client has taken it. */
  #allowance = 0;

  constructor({ wire, limit, onTooSlow }: OutletOptions) {
    this.#wire = wire;
    this.#limit = limit;
    this.#onTooSlow = onTooSlow;
    wire.onTaken(() => this.#drained());
  }

  send(message: { type: string }): void {
    if (!this.#isOpen) return;
    if (ENDS_AND_BEGINNINGS.has(message.type)) this.#sendHeld();
    const text = JSON.stringify(message);
    const bytes = Buffer.byteLength(text);
    if (bytes > LARGE_ANSWER_BYTES) this.#allowance = Math.max(this.#allowance, bytes);
    this.#wire.send(text);
    this.#check();
  }

  deliver(batch: FeedBatch): void {
    if (!this.#isOpen) return;
    const told =
      batch.conflate && (this.#held !== null || this.#isBehind()) ? this.#withoutPrices(batch) : batch;
    if (told.messages.length > 0) this.#wire.sendBatch(told);
    this.#check();
  }

  heartbeat(message: object): void {
    if (this.#isOpen) this.#wire.ping(JSON.stringify(message));
  }

  ready(): Promise<void> {
    if (!this.#isOpen || !this.#isBehind()) return Promise.resolve();
    return new Promise((resolve) => (this.#waiting ??= []).push(resolve));
  }

  end(): void {
    this.#isOpen = false;
    this.#held = null;
    this.#drained();
  }

  #isBehind(): boolean {
    return this.#wire.waiting() > BEHIND_BYTES;
  }

  #check(): void {
    if (this.#wire.waiting() > this.#limit + this.#allowance) this.#onTooSlow();
  }

  #sendHeld(): void {
    if (this.#held === null) return;
    const messages = [...this.#held.values()].sort((left, right) => left.seq - right.seq);
    this.#held = null;
    this.#wire.sendBatch(feedBatch(messages, true));
  }

  /** Holds the prices of the batch back, and gives the rest. */
  #withoutPrices({ messages, conflate }: FeedBatch): FeedBatch {
    const others = messages.filter((message) => {
      const market = message.pricedMarket;
      if (market !== null) (this.#held ??= new Map()).set(market, message);
      return market === null;
    });
    return feedBatch(others, conflate);
  }

  #drained(): void {
    if (this.#isOpen && this.#isBehind()) return;
    this.#allowance = 0;
    if (this.#isOpen) this.#sendHeld();
    const told = this.#waiting ?? [];
    this.#waiting = null;
    for (const resolve of told) resolve();
  }
}
