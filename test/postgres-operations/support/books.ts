/** The checks throw without Jest, so that other programs can use them. */
import assert from 'node:assert/strict';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { openRawPostgres } from '../../support/postgres';
import type { CrashOrder } from '../../crash/orders';
import { CRASH_CREATOR } from '../../crash/wallets';
import { until } from '../../support/until';
import type { Records } from './trader-process';

export function marketOn(url: string): PredictionMarket {
  return createPredictionMarket({
    storage: postgresStorage({ url, pool: { max: 4 } }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
    addressRateLimit: 1_000_000,
    failedAuthLimit: 1_000_000,
  });
}

async function tradesOf(pm: PredictionMarket, wallet: string): Promise<number[]> {
  const ids: number[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await pm.listWalletHistory({ wallet, limit: 100, offset });
    ids.push(...page.trades.map((trade) => trade.id));
    if (page.trades.length < 100) return ids;
  }
}

export interface OrderCounts {
  acknowledged: number;
  unanswered: number;
  executedUnanswered: number;
}

export async function repeatAndCheckOrders(
  pm: PredictionMarket,
  records: Records,
  wallets: readonly string[],
  orderOf: (key: string) => CrashOrder,
): Promise<OrderCounts> {
  const history = async (): Promise<number[]> =>
    (await Promise.all(wallets.map((wallet) => tradesOf(pm, wallet)))).flat();
  const before = new Set(await history());
  const answers = new Map(records.acknowledged);
  const unanswered = [...records.sent].filter((key) => !answers.has(key));
  for (const key of unanswered) answers.set(key, (await pm.placeTrade(orderOf(key))).id);

  const executedUnanswered = unanswered.filter((key) => before.has(answers.get(key) ?? NaN)).length;
  const executed = records.acknowledged.size + executedUnanswered;
  assert.equal(before.size, executed, 'every trade belongs to an order');
  const after = (await history()).sort((a, b) => a - b);
  assert.deepEqual(
    after,
    [...answers.values()].sort((a, b) => a - b),
    'every order was executed once',
  );
  const { ok, differences } = await pm.audit();
  assert.deepEqual({ ok, differences }, { ok: true, differences: [] }, 'the audit is clean');
  return { acknowledged: records.acknowledged.size, unanswered: unanswered.length, executedUnanswered };
}

/** Waits until the relay of a running market has numbered the last events. */
export async function checkEvents(url: string, trades: number): Promise<void> {
  const client = await openRawPostgres(url);
  const figures = async () => {
    const { rows } = await client.query<{ events: number; trades: number; waiting: number; head: number }>(
      `SELECT count(*)::int AS events, count(*) FILTER (WHERE event ->> 2 = 'trade')::int AS trades,
        count(*) FILTER (WHERE first_seq IS NULL)::int AS waiting, coalesce(max(first_seq + size - 1), 0)::int AS head
       FROM prediction_market.event_batches, jsonb_array_elements(data::jsonb) AS event`,
    );
    if (rows[0] === undefined) throw new Error('no figures');
    return rows[0];
  };
  try {
    await until(async () => (await figures()).waiting === 0, { what: 'the numbering of the last events' });
    const { events, head, trades: traded } = await figures();
    assert.deepEqual({ head, traded }, { head: events, traded: trades }, 'one event a trade, without a gap');
  } finally {
    await client.end();
  }
}
