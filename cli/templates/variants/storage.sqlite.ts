import type { Storage } from 'express-prediction-market';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { optional } from './settings.ts';

/** One SQLite file. DATABASE_URL is sqlite:<file>. */
export function openStorage(): Storage {
  const url = optional('DATABASE_URL') ?? 'sqlite:data/markets.db';
  return sqliteStorage({ file: url.replace(/^sqlite:/, '') });
}
