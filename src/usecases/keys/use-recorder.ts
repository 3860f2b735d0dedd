// Imported, not the global: fake timers of somebody's tests must not stop the writes.
import { setImmediate } from 'node:timers';
import type { ApiKey } from '../../domain/types';
import type { Context } from '../context';

/** How exact `lastUsedAt` is: one write a minute and key, however often the key is used. */
const RESOLUTION_MS = 60_000;

type Use = Pick<ApiKey, 'id' | 'lastUsedAt'>;

export interface UseRecorder {
  /** Resolves, always, when a write that this use has caused is over; at once when none is due. */
  record(use: Use): Promise<void>;
}

/**
 * Keeps `lastUsedAt` of keys: the first use at once, later ones when the stored instant is a minute old. Uses of
 * one tick share a write. One that fails is logged and tried again a minute later: it refuses nobody.
 */
export function createUseRecorder({
  storage,
  clock,
  logger,
}: Pick<Context, 'storage' | 'clock' | 'logger'>): UseRecorder {
  const attempts = createAttempts();
  let open: Batch | null = null;

  async function write(uses: Batch['uses']): Promise<void> {
    try {
      await storage.transaction((tx) => tx.apiKeys.touch(uses));
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
      const last = Math.max(lastUsedAt ?? -Infinity, attempts.last(id));
      if (now - last < RESOLUTION_MS) return;
      attempts.note(id, now);
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

interface Attempts {
  /** When a write was last begun for the key; `-Infinity` when that is long ago or never was. */
  last(id: number): number;
  note(id: number, now: number): void;
}

/** Two generations, of a minute each at least: what is older than both is old enough to be forgotten. */
function createAttempts(): Attempts {
  let recent = new Map<number, number>();
  let older = new Map<number, number>();
  let began = -Infinity;
  return {
    last: (id) => recent.get(id) ?? older.get(id) ?? -Infinity,
    note(id, now) {
      if (now - began >= RESOLUTION_MS) {
        [older, recent, began] = [recent, new Map<number, number>(), now];
      }
      recent.set(id, now);
    },
  };
}
