/** At most this many unused keys are remembered. Older keys count as used. */
const MOST_UNUSED = 1_000;

/** The keys that were made here and not sent yet. */
const unused = new Set<string>();

/** 32 random hexadecimal digits. `crypto.randomUUID` is missing on pages without https. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random key for an order or a withdrawal. */
export function newIdempotencyKey(): string {
  const key = randomName();
  for (const oldest of unused) {
    if (unused.size < MOST_UNUSED) break;
    unused.delete(oldest);
  }
  unused.add(key);
  return key;
}

/**
 * Whether the key was made here and no call has used it. From now on the key counts as used. Another program may have
 * sent a key that was not made here, so the answer for such a key is `false`.
 */
export function isFirstUse(key: string): boolean {
  return unused.delete(key);
}
