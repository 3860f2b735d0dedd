import { randomBytes } from 'node:crypto';

/** The only source of randomness: keys, nonces, tokens. */
export interface Random {
  /** Cryptographically strong unless a test says otherwise. */
  bytes(length: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (length) => new Uint8Array(randomBytes(length)) };
