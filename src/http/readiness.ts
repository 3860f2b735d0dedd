/** Whether an instance can serve: the answer of `GET /ready`. */
import { withinTime } from '../ports/time-limit';
import { awaitedTimers } from '../ports/timers';
import type { Storage } from '../ports/storage';

export interface Readiness {
  status: 'ready' | 'unavailable';
  checks: { started: boolean; storage: boolean; jobs: boolean };
}

export interface ReadinessSources {
  storage: Pick<Storage, 'ping'>;
  isStarted(): boolean;
  /** `ok` is false when a background job hangs or keeps failing. */
  jobsHealth(): { ok: boolean };
}

/** A storage that has not answered within this time counts as not ready. */
const PING_TIMEOUT_MS = 2_000;

/** Calls at the same time share one question to the storage. */
export function createReadiness({
  storage,
  isStarted,
  jobsHealth,
}: ReadinessSources): () => Promise<Readiness> {
  let asking: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      await withinTime(awaitedTimers, PING_TIMEOUT_MS, storage.ping());
      return true;
    } catch {
      return false;
    }
  };
  const answers = (): Promise<boolean> => (asking ??= ask().finally(() => (asking = null)));
  return async () => {
    const started = isStarted();
    const checks = { started, storage: started && (await answers()), jobs: started && jobsHealth().ok };
    const isReady = checks.started && checks.storage && checks.jobs;
    return { status: isReady ? 'ready' : 'unavailable', checks };
  };
}
