import type { Storage } from 'express-prediction-market';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { optional, wrong } from './settings.ts';

/** One SQLite file. DATABASE_URL is sqlite:<file>. */
export function openStorage(): Storage {
  const url = optional('DATABASE_URL') ?? 'sqlite:data/markets.db';
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  // The value is not repeated, because the address of another database may contain a password.
  if (file === undefined) wrong('DATABASE_URL', 'must be sqlite:<file>, such as sqlite:data/markets.db');
  return sqliteStorage({ file: file ?? '' });
}
