/**
 * Stores at most one request of a kind for each wallet. All windows of the browser share the store. A request is stored
 * before it is sent, so that a lost answer or a reload does not lead to a second request.
 */
export interface PendingPlace<Pending> {
  get(address: string): Pending | null;
  /**
   * Stores `after` if `before` is stored now; null stands for nothing. Resolves with false if another window has
   * changed the store: then this window must not send.
   */
  replace(address: string, before: Pending | null, after: Pending | null): Promise<boolean>;
}

/** The methods of the browser's `localStorage` that this file uses. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** What the windows of a browser share. */
export interface WindowsPlace {
  storage: TextStorage;
  /** `navigator.locks`; null if the browser has no locks, as on pages without TLS. */
  locks: { request<T>(name: string, work: () => Promise<T>): Promise<T> } | null;
  /** Waits until each window sees what the other windows have stored. */
  pause(): Promise<void>;
}

export const IN_ANOTHER_WINDOW =
  'Another window of this browser has sent or changed something here, so nothing was sent. Look at it again.';

/**
 * `fits` checks a stored value. A value that does not fit, for example from an older version of the pages, counts as
 * not stored.
 */
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
    // A window in another process sees a stored text a moment later, so two windows may both have stored a request. The
    // last text stays, and the other window finds that text after the pause.
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

/** The service remembers an idempotency key for at least this time. */
const KEY_KNOWN_MS = 24 * 3_600_000;
/** A small correction of the clock must not make a new request look old. */
const CLOCK_STEP_MS = 60_000;

/** Whether the service still knows the key, so that a repeated request is carried out at most once. */
export function isKeyKnown(sentAt: number, now = Date.now()): boolean {
  const age = now - sentAt;
  return age > -CLOCK_STEP_MS && age < KEY_KNOWN_MS;
}
