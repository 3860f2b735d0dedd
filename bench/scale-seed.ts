/**
 * Fills a SQLite file with markets, five times as many trades, and the books that belong to them. It writes SQL and
 * does not use the port, because inserting row by row would take too long.
 */
import sqlite3 from 'sqlite3';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';

export const TRADES_PER_MARKET = 5;
const TRADES_PER_WALLET = 50;
/** At least every fiftieth trade is on market 1, and at least every fiftieth is made by wallet 1. */
const HOT_EVERY = 50;
const DAY_MS = 86_400_000;

export interface Seeded {
  file: string;
  markets: number;
  trades: number;
  wallets: number;
  seconds: number;
}

interface Scale {
  markets: number;
  trades: number;
  wallets: number;
  now: number;
}

export function walletAddress(wallet: number): string {
  return `0x${wallet.toString(16).padStart(40, '0')}`;
}

/**
 * Fills the file, which must not exist. `now` is in milliseconds. The markets and trades are made in the 90
 * days before `now`.
 */
export async function seedScale(file: string, markets: number, now: number): Promise<Seeded> {
  const began = performance.now();
  const trades = markets * TRADES_PER_MARKET;
  const wallets = Math.max(10, Math.ceil(trades / TRADES_PER_WALLET));
  await createSchema(file);
  const database = await connect(file);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -2000000', 'threads = 2']) {
    await run(database, `PRAGMA ${pragma}`);
  }
  const indexes = await all<{ name: string; sql: string }>(
    database,
    `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
  );
  for (const { name } of indexes) await run(database, `DROP INDEX ${name}`);
  for (const statement of statements({ markets, trades, wallets, now })) await run(database, statement);
  for (const { sql } of indexes) await run(database, sql);
  await run(database, 'PRAGMA journal_mode = WAL');
  await close(database);
  return { file, markets, trades, wallets, seconds: (performance.now() - began) / 1000 };
}

async function createSchema(file: string): Promise<void> {
  const nothing = (): void => undefined;
  const storage = sqliteStorage({ file });
  await storage.open({ logger: { debug: nothing, info: nothing, warn: nothing, error: nothing } });
  await storage.close();
}

function statements(scale: Scale): string[] {
  return [...marketStatements(scale), ...tradeStatements(scale), ...bookStatements(scale)];
}

const count = (limit: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limit})`;
const address = (wallet: string): string => `printf('0x%040x', ${wallet})`;

/**
 * The first eight tenths of the markets are open and have the trades. The other markets are resolving or
 * resolved.
 */
function marketStatements({ markets, now }: Scale): string[] {
  const status = `CASE WHEN i <= ${markets} * 8 / 10 THEN 'open' WHEN i % 2 = 0 THEN 'resolving' ELSE 'resolved' END`;
  const resolved = (value: string): string => `CASE WHEN ${status} = 'resolved' THEN ${value} END`;
  const created = now - 90 * DAY_MS;
  return [
    `UPDATE counters SET value = ${markets} WHERE name = 'market'`,
    `${count(markets)} INSERT INTO markets SELECT
      i, printf('market-number-%09d', i), 'Will market number ' || i || ' be found?', NULL, 'It is found.',
      CASE i % 6 WHEN 0 THEN 'crypto' WHEN 1 THEN 'sports' WHEN 2 THEN 'politics' WHEN 3 THEN 'science'
        WHEN 4 THEN 'entertainment' ELSE 'other' END,
      ${address('999999999')}, ${status}, ${created} + i, ${now} + ${DAY_MS} + (i * 7919) % ${400 * DAY_MS},
      100000000000, 0, 0, 0, 0, 0, 1, ${resolved(`'YES'`)}, ${resolved(String(now - 1))}, ${resolved('1.0')}, NULL,
      ${resolved('NULL')}, 0, 0, ${created} + i FROM n`,
    `INSERT INTO market_totals SELECT status, category, count(*), count(*) * 69314718056 FROM markets GROUP BY 1, 2`,
    `INSERT INTO creators VALUES (${address('999999999')}, 'approved', 'Ada', NULL, ${created}, ${created}, NULL, ${created})`,
    `INSERT INTO creator_totals VALUES ('approved', 1)`,
  ];
}

function tradeStatements({ markets, trades, wallets, now }: Scale): string[] {
  const open = Math.max(1, Math.floor((markets * 8) / 10));
  const market = `CASE WHEN i % ${HOT_EVERY} = 0 THEN 1 ELSE 1 + (i * 7919 + i / 50) % ${open} END`;
  const wallet = `CASE WHEN i % ${HOT_EVERY} = 1 THEN 1 ELSE 1 + (i * 104729 + i / 50) % ${wallets} END`;
  const notional = `500000 * (1 + i % 7)`;
  const time = `${now - 90 * DAY_MS} + i * ${Math.floor((90 * DAY_MS) / trades)}`;
  const candles = [60_000, 3_600_000, DAY_MS].map(
    (resolution) => `INSERT INTO candles
      SELECT market_id, ${resolution}, created_at / ${resolution} * ${resolution} AS bucket,
        500000, 500000, 500000, 500000, sum(notional), count(*) FROM trades GROUP BY market_id, bucket`,
  );
  return [
    `${count(trades)} INSERT INTO trades SELECT i, 'trade', ${market}, ${address(wallet)},
      CASE WHEN (i / 7) % 2 = 0 THEN 'YES' ELSE 'NO' END, 'buy', 2 * ${notional}, ${notional}, 0, ${notional}, 0, 500000,
      ${time} FROM n`,
    `INSERT INTO positions SELECT market_id, wallet, side, sum(shares), sum(total_cost), 0, 0, 0, max(created_at)
      FROM trades GROUP BY market_id, wallet, side`,
    ...candles,
  ];
}

/** Accounts, pools and the ledger, computed from the trades. */
function bookStatements({ trades, now }: Scale): string[] {
  const funds = 1_000_000_000_000;
  return [
    `UPDATE markets AS m SET shares_yes = t.yes, shares_no = t.no, pool = t.paid, volume = t.paid,
        trade_count = t.trades, market_seq = 1 + t.trades, last_fact_at = t.newest
      FROM (SELECT market_id, sum(CASE WHEN side = 'YES' THEN shares ELSE 0 END) AS yes,
        sum(CASE WHEN side = 'NO' THEN shares ELSE 0 END) AS no, sum(notional) AS paid, count(*) AS trades,
        max(created_at) AS newest FROM trades GROUP BY market_id) AS t WHERE t.market_id = m.id`,
    `INSERT INTO accounts SELECT 'wallet:' || t.wallet, ${funds}, 0, t.trades, p.held, p.held, ${now}
      FROM (SELECT wallet, count(*) AS trades FROM trades GROUP BY wallet) AS t
      JOIN (SELECT wallet, count(*) AS held FROM positions GROUP BY wallet) AS p ON p.wallet = t.wallet`,
    `INSERT INTO accounts SELECT 'external', -(SELECT sum(balance) FROM accounts) - (SELECT sum(pool) FROM markets),
      0, 0, 0, 0, ${now}`,
    `INSERT INTO postings SELECT id, 'trade:' || id, 'trade', created_at FROM trades`,
    `INSERT INTO entries SELECT id, 0, 'wallet:' || wallet, -notional FROM trades
      UNION ALL SELECT id, 1, 'market:' || market_id, notional FROM trades`,
    `INSERT INTO postings SELECT ${trades} + row_number() OVER (), 'deposit:' || id, 'deposit', ${now}
      FROM accounts WHERE id <> 'external'`,
    `INSERT INTO entries SELECT p.id, 0, 'external', -paid.total FROM postings p
      JOIN (SELECT 'deposit:wallet:' || wallet AS reference, ${funds} + sum(notional) AS total FROM trades GROUP BY wallet)
        AS paid ON paid.reference = p.reference`,
    `INSERT INTO entries SELECT e.posting_id, 1, substr(p.reference, 9), -e.amount FROM entries e
      JOIN postings p ON p.id = e.posting_id WHERE p.id > ${trades} AND e.line = 0`,
    `INSERT INTO deposits (reference, wallet, amount, balance_after, reserved_after, created_at)
      SELECT substr(p.reference, 9), substr(p.reference, 16), -e.amount, ${funds}, 0, ${now} FROM entries e
      JOIN postings p ON p.id = e.posting_id WHERE p.id > ${trades} AND e.line = 0`,
  ];
}

// --- The functions of the driver, as promises. ---

function connect(file: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, (error) =>
      error === null ? resolve(database) : reject(error),
    );
  });
}

function run(database: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    database.exec(sql, (error) => (error === null ? resolve() : reject(new Error(sql, { cause: error }))));
  });
}

function all<T>(database: sqlite3.Database, sql: string): Promise<T[]> {
  return new Promise((resolve, reject) => {
    database.all<T>(sql, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
}

function close(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.close((error) => (error === null ? resolve() : reject(error)));
  });
}
