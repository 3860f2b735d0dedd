// Imported, because the fake timers of a host's tests replace the global `setImmediate`.
import { setImmediate } from 'node:timers';
import { createExpiringMap } from '../../domain/expiring-map';
import type { ApiKey } from '../../domain/types';
import type { Context } from '../context';

/** `lastUsedAt` is exact to a minute, so that a key causes at most one write a minute on each instance. */
const RESOLUTION_MS = 60_000;

type Use = Pick<ApiKey, 'id' | 'lastUsedAt'>;

export interface UseRecorder {
  /**
   * Resolves when the write that this use caused has ended, even if the write failed. Resolves at once when no
   * write is due. Never rejects.
   */
  record(use: Use): Promise<void>;
}

/**
 * Stores `lastUsedAt` of keys: the first use at once, a later use when the stored instant is a minute old. If a
 * write fails, the failure is logged, and the next write is tried at a use at least a minute later.
 */
export function createUseRecorder({
  storage,
  clock,
  logger,
}: Pick<Context, 'storage' | 'clock' | 'logger'>): UseRecorder {
  /** When the last write for each key began. */
  const attempts = createExpiringMap<number, number>(RESOLUTION_MS);
  let open: Batch | null = null;

  async function write(uses: Batch['uses']): Promise<void> {
    try {
      await storage.transaction((transaction) => transaction.apiKeys.touch(uses));
    } catch (err) {
      logger.warn({ err, keys: uses.length }, 'the last use of API keys could not be recorded');
    }
  }

  function openBatch(): Batch {
    const uses: Batch['uses'] = [];
    const written = new Promise<void>((resolve) => {
      setImmediate(() => {
        open = null;
        void write(uses).then(resolve);
      });
    });
    return { uses, written };
  }

  return {
    record: async ({ id, lastUsedAt }) => {
      const now = clock.now();
      const last = Math.max(lastUsedAt ?? -Infinity, attempts.get(id, now) ?? -Infinity);
      if (now - last < RESOLUTION_MS) return;
      attempts.set(id, now, now);
      open ??= openBatch();
      open.uses.push({ id, usedAt: now });
      await open.written;
    },
  };
}

interface Batch {
  uses: { id: number; usedAt: number }[];
  written: Promise<void>;
}
