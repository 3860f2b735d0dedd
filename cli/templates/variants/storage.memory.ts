import type { Storage } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';

/** Everything is gone when the process ends. */
export function openStorage(): Storage {
  return memoryStorage();
}
