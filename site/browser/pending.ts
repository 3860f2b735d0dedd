/**
 * What was sent and has no known outcome yet, one of each kind for each wallet. It is stored before it is sent, so
 * that a lost answer or a reload does not lead to a second one.
 */
export interface PendingPlace<Pending> {
  get(address: string): Pending | null;
  set(address: string, pending: Pending): void;
  clear(address: string): void;
}

/** What is used of the browser's `localStorage`. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** `fits` tells what an older version of the pages, or a hand, has stored: that counts as nothing. */
export function pendingPlace<Pending>(
  storage: TextStorage,
  kind: string,
  fits: (stored: Partial<Record<keyof Pending, unknown>>) => boolean,
): PendingPlace<Pending> {
  const name = (address: string): string => `prediction-market.pending-${kind}.${address.toLowerCase()}`;
  return {
    get(address) {
      const stored = parsed(storage.getItem(name(address)));
      return stored !== null && fits(stored) ? (stored as Pending) : null;
    },
    set: (address, pending) => storage.setItem(name(address), JSON.stringify(pending)),
    clear: (address) => storage.removeItem(name(address)),
  };
}

function parsed(text: string | null): object | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** For this long the service promises to remember an idempotency key. */
const KEY_KNOWN_MS = 24 * 3_600_000;
/** A clock that is set right by a little must not make a new request old. */
const CLOCK_STEP_MS = 60_000;

/** Whether the same key still means the same request, so that it is carried out at most once. */
export function isKeyKnown(sentAt: number, now = Date.now()): boolean {
  const age = now - sentAt;
  return age > -CLOCK_STEP_MS && age < KEY_KNOWN_MS;
}
