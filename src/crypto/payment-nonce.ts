/**
 * The nonce that a 402 answer offers for the flat form. The nonce itself proves to which call it belongs, so
 * the service stores nothing for a 402 answer. Its 32 bytes are 4 bytes of expiry (Unix seconds, big endian),
 * 12 random bytes, and the first half of the HMAC-SHA256 over expiry, random bytes, method, path and amount.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../ports/random';

const EXPIRY_BYTES = 4;
const RANDOM_BYTES = 12;
const MAC_BYTES = 16;
const NONCE = /^0x[0-9a-f]{64}$/;

export interface NonceScope {
  method: string;
  /** The path of the endpoint, below `/api/v2`. */
  path: string;
  /** In base units. */
  amount: bigint;
}

/** The nonce is 0x-hex in lower case. */
export function createPaymentNonce(
  secret: Uint8Array,
  scope: NonceScope,
  { expiresAtSeconds, random }: { expiresAtSeconds: number; random: Random },
): string {
  const claims = Buffer.alloc(EXPIRY_BYTES + RANDOM_BYTES);
  claims.writeUInt32BE(expiresAtSeconds);
  claims.set(random.bytes(RANDOM_BYTES), EXPIRY_BYTES);
  return `0x${claims.toString('hex')}${macOf(secret, scope, claims).toString('hex')}`;
}

/**
 * What is wrong with a nonce. `foreign`: this service has not made it for this call. `null`: nothing is wrong.
 */
export function paymentNonceProblem(
  secret: Uint8Array,
  scope: NonceScope,
  nonce: string,
  nowSeconds: number,
): 'foreign' | 'expired' | null {
  if (!NONCE.test(nonce)) return 'foreign';
  const bytes = Buffer.from(nonce.slice(2), 'hex');
  const claims = bytes.subarray(0, EXPIRY_BYTES + RANDOM_BYTES);
  if (!timingSafeEqual(macOf(secret, scope, claims), bytes.subarray(claims.length))) return 'foreign';
  return claims.readUInt32BE() < nowSeconds ? 'expired' : null;
}

function macOf(secret: Uint8Array, { method, path, amount }: NonceScope, claims: Uint8Array): Buffer {
  const mac = createHmac('sha256', secret).update(claims).update(`${method}\n${path}\n${amount}`);
  return mac.digest().subarray(0, MAC_BYTES);
}
