import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oracleCrashes } from './oracle-suite';
import { createOracleWorld } from './oracle-world';

describe('deaths in the resolution of a market on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oracle-crash-'));
  oracleCrashes(() => createOracleWorld(join(folder, 'markets.db')), 'two plans');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
});
