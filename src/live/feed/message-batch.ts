/** Messages that are encoded once for all readers that share the batch. */
import type { FeedMessage } from './feed-message';
import type { FeedBatch } from './types';

export function feedBatch(messages: readonly FeedMessage[], conflate: boolean): FeedBatch {
  return new SharedBatch(messages, conflate);
}

type Encode<T> = (batch: FeedBatch) => T;

class SharedBatch implements FeedBatch {
  readonly messages: readonly FeedMessage[];
  readonly conflate: boolean;
  /** The result of each encoder. There are few encoders, so a list is fast enough. */
  readonly #made: { encode: Encode<unknown>; result: unknown }[] = [];

  constructor(messages: readonly FeedMessage[], conflate: boolean) {
    this.messages = messages;
    this.conflate = conflate;
  }

  encoded<T>(encode: Encode<T>): T {
    for (const made of this.#made) if (made.encode === encode) return made.result as T;
    const result = encode(this);
    this.#made.push({ encode, result });
    return result;
  }
}
