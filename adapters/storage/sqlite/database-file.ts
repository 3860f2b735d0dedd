import { mustBe } from '../../../src/domain/options';

/** The check of an option that names the database file. */
export const aDatabaseFile = mustBe(
  'the path of the database file, or :memory:',
  (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
);
