import { randomBytes } from 'node:crypto';

/** The source of randomness, for example for keys, nonces and tokens. */
export interface Random {
  /** Returns `length` new random bytes. They must be cryptographically strong. */
  bytes(length: number): Uint8Array;
}

const POOL_BYTES = 4096;
const LARGEST_FROM_POOL = 64;

/**
 * Serves small requests from a pool of bytes. Most callers want few bytes, and a call of the generator is
 * expensive.
 */
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
      // The pool keeps no copy of the bytes, because they may become a secret.
      pool.fill(0, used, used + length);
      used += length;
      return taken;
    },
  };
}

export const systemRandom: Random = pooledRandom();

/** A number from 0 to below 1. */
export function fractionOf(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
}
