import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../support/optional';
import { createWorld } from './payment-world';
import { paymentCrashes } from './payments-suite';

describeWith('anvil', 'deaths in the life of a payment on SQLite', (binary) => {
  const folder = mkdtempSync(join(tmpdir(), 'payment-crash-'));
  paymentCrashes(() => createWorld(binary, join(folder, 'markets.db')), 'every step');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
});
