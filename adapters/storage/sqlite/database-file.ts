import { mustBe } from '../../../src/domain/options';

export const aDatabaseFile = mustBe(
  'the path of the database file, or :memory:',
  (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
);
