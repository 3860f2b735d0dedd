/** What a socket sends, and what happens when its client does not take it. */
import type { FeedMessage } from '../feed/message';
import { feedBatch } from '../feed/message';
import type { FeedBatch } from '../feed/types';
import type { Wire } from './wire';

/** Above this a client is behind: prices are conflated, and what it missed is read no further. */
const BEHIND_BYTES = 65_536;
/** An answer above this is large on purpose, such as the state of hundreds of markets. */
const LARGE_ANSWER_BYTES = 262_144;

export interface Outlet {
  /** An answer, or another message to this client alone. */
  send(message: object): void;
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

export function createOutlet({ wire, limit, onTooSlow }: OutletOptions): Outlet {
  /** The last price of each market that the client has not got yet. */
  const held = new Map<number, FeedMessage>();
  let waiting: (() => void)[] = [];
  let isOpen = true;
  /** What a large answer may take beyond the limit until the client has taken it. */
  let allowance = 0;

  const isBehind = (): boolean => wire.waiting() > BEHIND_BYTES;

  function check(): void {
    if (wire.waiting() > limit + allowance) onTooSlow();
  }

  function sendHeld(): void {
    if (held.size === 0) return;
    const messages = [...held.values()].sort((left, right) => left.seq - right.seq);
    held.clear();
    wire.sendBatch(feedBatch(messages, true));
  }

  /** Holds the prices of the batch back, and gives the rest. */
  function withoutPrices({ messages, conflate }: FeedBatch): FeedBatch {
    const others = messages.filter((message) => {
      const market = message.pricedMarket;
      if (market !== null) held.set(market, message);
      return market === null;
    });
    return feedBatch(others, conflate);
  }

  function drained(): void {
    if (isOpen && isBehind()) return;
    allowance = 0;
    if (isOpen) sendHeld();
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  }
  wire.onTaken(drained);

  return {
    send(message) {
      if (!isOpen) return;
      const text = JSON.stringify(message);
      const bytes = Buffer.byteLength(text);
      if (bytes > LARGE_ANSWER_BYTES) allowance = Math.max(allowance, bytes);
      wire.send(text);
      check();
    },
    deliver(batch) {
      if (!isOpen) return;
      const told = batch.conflate && (held.size > 0 || isBehind()) ? withoutPrices(batch) : batch;
      if (told.messages.length > 0) wire.sendBatch(told);
      check();
    },
    heartbeat(message) {
      if (isOpen) wire.ping(JSON.stringify(message));
    },
    ready: () => (isOpen && isBehind() ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    end() {
      isOpen = false;
      held.clear();
      drained();
    },
  };
}
