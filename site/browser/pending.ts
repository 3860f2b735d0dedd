/**
 * What was sent and has no known outcome yet, one of each kind for each wallet. It is stored before it is sent, so
 * that a lost answer or a reload does not lead to a second one. All windows of a browser share it.
 */
export interface PendingPlace<Pending> {
  get(address: string): Pending | null;
  /**
   * Stores `after` where `before` is stored, and resolves to whether it is stored now. `null` is an empty place. A
   * window that has lost to another one has changed nothing, and must not send.
   */
  replace(address: string, before: Pending | null, after: Pending | null): Promise<boolean>;
}

/** What is used of the browser's `localStorage`. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** What the windows of a browser share. */
export interface WindowsPlace {
  storage: TextStorage;
  /** What is used of `navigator.locks`. Null where the browser has none, as on pages without TLS. */
  locks: { request<T>(name: string, work: () => Promise<T>): Promise<T> } | null;
  /** Waits until the windows see what each of them has stored before. */
  pause(): Promise<void>;
}

export const IN_ANOTHER_WINDOW =
  'Another window of this browser has sent or changed something here, so nothing was sent. Look at it again.';

/** `fits` tells what an older version of the pages, or a hand, has stored: that counts as nothing. */
export function pendingPlace<Pending>(
  { storage, locks, pause }: WindowsPlace,
  kind: string,
  fits: (stored: Partial<Record<keyof Pending, unknown>>) => boolean,
): PendingPlace<Pending> {
  const nameOf = (address: string): string => `prediction-market.pending-${kind}.${address.toLowerCase()}`;
  const read = (name: string): Pending | null => {
    const stored = parsed(storage.getItem(name));
    return stored !== null && fits(stored) ? (stored as Pending) : null;
  };
  const holds = (name: string, pending: Pending | null): boolean =>
    JSON.stringify(read(name)) === JSON.stringify(pending);

  async function replace(name: string, before: Pending | null, after: Pending | null): Promise<boolean> {
    if (!holds(name, before)) return false;
    if (after === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(after));
    // Windows of other processes see a text a moment later, so two of them may have found the place empty. The text
    // that was stored last stays.
    if (after !== null) await pause();
    return holds(name, after);
  }
  return {
    get: (address) => read(nameOf(address)),
    async replace(address, before, after) {
      const name = nameOf(address);
      const work = (): Promise<boolean> => replace(name, before, after);
      return locks === null ? work() : locks.request(name, work);
    },
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
