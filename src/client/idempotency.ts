/**
 * A random key for an order or a withdrawal. `crypto.randomUUID` would do, but it is missing on pages without
 * https.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
