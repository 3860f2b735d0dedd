/** What a hook returns: data, and whether they are current. */
import type { PredictionMarketApiError } from '../errors';

/** Data with their status. */
export interface Shown<Data> {
  /** `live`: the data are current. `stale`: the data were current at `since`. `loading`: there are no data yet. */
  readonly status: 'loading' | 'live' | 'stale';
  /** null while there are no data yet. */
  readonly data: Data | null;
  /** Milliseconds since 1970. For live data: when they became live. For stale data: when they were last current. */
  readonly since: number | null;
  /** Why the client cannot get the data now. */
  readonly error: PredictionMarketApiError | null;
}

export const LOADING: Shown<never> = { status: 'loading', data: null, since: null, error: null };

/** Data that change over time. `subscribe` calls the listener after each change. */
export interface Source<Data> {
  subscribe(listener: () => void): () => void;
  get(): Shown<Data>;
}

export interface Cell<Data> {
  get(): Shown<Data>;
  live(data: Data): void;
  stale(data: Data, since: number): void;
  /** Marks the data as stale: from now on they do not follow the service. */
  lost(): void;
  failed(error: PredictionMarketApiError): void;
  reset(): void;
  listen(listener: () => void): () => void;
  hasListeners(): boolean;
}

export function createCell<Data>(now: () => number): Cell<Data> {
  let shown: Shown<Data> = LOADING;
  const listeners = new Set<() => void>();

  function show(next: Shown<Data>): void {
    shown = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    get: () => shown,
    live(data) {
      const since = shown.status === 'live' ? shown.since : now();
      show({ status: 'live', data, since, error: null });
    },
    stale: (data, since) => show({ status: 'stale', data, since, error: null }),
    lost() {
      if (shown.status === 'live') show({ ...shown, status: 'stale', since: now() });
    },
    failed(error) {
      const since = shown.status === 'live' ? now() : shown.since;
      show({ ...shown, status: shown.data === null ? 'loading' : 'stale', since, error });
    },
    reset: () => show(LOADING),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hasListeners: () => listeners.size > 0,
  };
}
