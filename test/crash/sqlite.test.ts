import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { program } from '../support/program';
import { CRASH_CREATOR, CRASH_WALLETS } from './wallets';

const KILLS = 20;

interface Acknowledged {
  key: string;
  id: number;
  shares: number;
  wallet: string;
}

async function tradeAndDie(file: string, run: number, killAfter: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [...program('test/crash/trader.ts'), file, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, key, id, shares] = line.split(' ');
    if (word !== 'ack' || key === undefined) continue;
    const wallet = CRASH_WALLETS[Number(key.split('-')[1])];
    if (wallet === undefined) throw new Error(`an acknowledgement without a wallet: ${line}`);
    acknowledged.push({ key, id: Number(id), shares: Number(shares), wallet });
    if (acknowledged.length === killAfter) child.kill('SIGKILL');
  }
  await ended;
  return acknowledged;
}

function reopen(file: string): PredictionMarket {
  return createPredictionMarket({
    storage: sqliteStorage({ file }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
  });
}

async function everyTradeOf(pm: PredictionMarket, wallet: string): Promise<Map<number, number>> {
  const shares = new Map<number, number>();
  for (let offset = 0; ; offset += 100) {
    const page = await pm.listWalletHistory({ wallet, limit: 100, offset });
    for (const trade of page.trades) shares.set(trade.id, trade.shares);
    if (page.trades.length < 100) {
      expect(page.total).toBe(shares.size);
      return shares;
    }
  }
}

test(`a trader killed ${KILLS} times loses nothing that it acknowledged`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-crash-'));
  try {
    const file = join(folder, 'markets.db');
    const all: Acknowledged[] = [];
    for (let run = 0; run < KILLS; run += 1) {
      const acknowledged = await tradeAndDie(file, run, 20 + 7 * run);
      expect(acknowledged.length).toBeGreaterThanOrEqual(20 + 7 * run);
      all.push(...acknowledged);

      const pm = reopen(file);
      await pm.start();
      expect(await pm.audit()).toMatchObject({ ok: true, differences: [] });
      await pm.close();
    }

    const pm = reopen(file);
    await pm.start();
    const histories = new Map<string, Map<number, number>>();
    for (const wallet of CRASH_WALLETS) histories.set(wallet, await everyTradeOf(pm, wallet));
    for (const trade of all) expect(histories.get(trade.wallet)?.get(trade.id)).toBe(trade.shares);
    expect(new Set(all.map((trade) => trade.id)).size).toBe(all.length);
    await pm.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
