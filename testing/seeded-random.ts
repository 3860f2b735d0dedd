import { createHash } from 'node:crypto';
import type { Random } from '../src/ports/random';

/** A source of bytes for tests only. The same seed gives the same bytes: SHA-256 of the seed and a counter. */
export function seededRandom(seed: string | number = 1): Random {
  let block = 0;
  let left: Uint8Array = new Uint8Array(0);
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        if (left.length === 0) {
          left = createHash('sha256').update(`${seed}:${block}`).digest();
          block += 1;
        }
        const part = left.subarray(0, length - filled);
        bytes.set(part, filled);
        left = left.subarray(part.length);
        filled += part.length;
      }
      return bytes;
    },
  };
}
