import { randomBytes } from 'node:crypto';

/** The only source of randomness: keys, nonces, tokens. */
export interface Random {
  /** Cryptographically strong unless a test says otherwise. */
  bytes(length: number): Uint8Array;
}

const POOL_BYTES = 4096;
const LARGEST_FROM_POOL = 64;

/** A call of the generator costs more than the few bytes that most callers want: those come from a pool. */
function pooledRandom(): Random {
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    bytes(length) {
      if (length > LARGEST_FROM_POOL) return new Uint8Array(randomBytes(length));
      if (used + length > pool.length) {
        pool = new Uint8Array(randomBytes(POOL_BYTES));
        used = 0;
      }
      const taken = pool.slice(used, used + length);
      // What was a secret of somebody does not stay here.
      pool.fill(0, used, used + length);
      used += length;
      return taken;
    },
  };
}

export const systemRandom: Random = pooledRandom();
