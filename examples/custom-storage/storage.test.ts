/** The published suite of the storage port: it checks that the storage keeps each sentence of the contract. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Storage } from 'express-prediction-market';
import { storageConformance, type StorageInspection } from 'express-prediction-market/testing';
import { fileStorage } from './storage';

const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function opened(file: string): Promise<Storage> {
  const storage = fileStorage({ file });
  await storage.open({ logger });
  return storage;
}

storageConformance(
  { describe, it, expect },
  {
    // The lists are those of the memory storage, whose tests check what they cost.
    provenElsewhere: ['pageCost', 'walkCost'],
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'file-storage-'));
      const file = join(folder, 'rows');
      const storage = await opened(file);
      return {
        storage,
        reopen: () => opened(file),
        inspect: inspectionOf(file),
        another: false, // one process at a time: a second one takes the file over
        cutOff: false, // a disk cannot be made unreachable here
        loseCommit: false,
        destroy: async () => {
          await storage.close();
          await rm(folder, { recursive: true });
        },
      };
    },
  },
);

type Row = Record<string, string>;

/** Reads the file without the storage. `~5` is how a row writes the bigint 5. */
function inspectionOf(file: string): StorageInspection {
  async function row(key: string): Promise<Row | null> {
    let found: Row | null = null;
    for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
      for (const [name, text] of JSON.parse(line) as [string, string | null][]) {
        if (name === key) found = text === null ? null : (JSON.parse(text.replaceAll('"~', '"')) as Row);
      }
    }
    return found;
  }
  /** These fields of the row. */
  async function fields<Field extends string>(key: string, ...names: Field[]) {
    const found = await row(key);
    if (found === null) return null;
    return Object.fromEntries(names.map((name) => [name, found[name]])) as Record<Field, string>;
  }
  return {
    account: (id) => fields(`accounts/${id}`, 'balance', 'reserved'),
    market: (id) => fields(`markets/${id}`, 'liquidityParameter', 'sharesYes', 'sharesNo', 'pool', 'volume'),
    position: (marketId, wallet, side) =>
      fields(`positions/${marketId}:${wallet}:${side}`, 'shares', 'costBasis', 'realizedPnl', 'feesPaid'),
    trade: (id) => fields(`trades/${id}`, 'shares', 'notional', 'fee', 'totalCost', 'realizedPnl'),
    async entries(reference) {
      const posting = (await row(`postings/${reference}`)) as {
        entries?: { account: string; amount: string }[];
      } | null;
      return posting?.entries ?? [];
    },
    challengeExists: async (nonce) => (await row(`challenges/${nonce}`)) !== null,
  };
}
