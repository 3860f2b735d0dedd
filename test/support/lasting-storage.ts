/** A memory storage that stays open when a service closes it, so that the next service finds its rows. */
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';

export async function lastingStorage(): Promise<Storage> {
  const memory = memoryStorage();
  await memory.open({ logger: silentLogger });
  return { ...memory, open: () => Promise.resolve(), close: () => Promise.resolve() };
}
