import type { Storage } from 'express-prediction-market';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { required, type Shape } from './settings.ts';

// The value is not repeated, because it contains a password.
const POSTGRES_URL: Shape = {
  pattern: /^postgres(ql)?:\/\/./,
  expected: 'must be postgres://<user>:<password>@<host>:<port>/<database>',
};

/** Postgres, which any number of instances share. The start makes the schema `prediction_market`. */
export function openStorage(): Storage {
  return postgresStorage({ url: required('DATABASE_URL', POSTGRES_URL) });
}
