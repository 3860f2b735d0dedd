import type { Storage } from 'express-prediction-market';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { required } from './settings.ts';

/** Postgres, which any number of instances share. The start makes the schema `prediction_market`. */
export function openStorage(): Storage {
  return postgresStorage({ url: required('DATABASE_URL') });
}
