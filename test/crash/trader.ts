/**
 * A process that trades until it is killed. Usage: tsx test/crash/trader.ts <sqlite file> <run>
 * It prints `ready`, then one line for every trade that was acknowledged: `ack <idempotency key> <trade id> <shares> <balance>`.
 */
import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { CRASH_CREATOR, CRASH_WALLETS } from './wallets';

const [file, run] = process.argv.slice(2);
if (file === undefined || run === undefined) throw new Error('usage: trader.ts <sqlite file> <run>');

async function main(): Promise<void> {
  const pm = createPredictionMarket({
    storage: sqliteStorage({ file: file as string }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
  });
  await pm.start();
  await pm.approveCreator({ address: CRASH_CREATOR });
  for (const address of CRASH_WALLETS)
    await pm.deposit({ address, amount: 100_000, reference: `crash-${address}` });
  const existing = await pm.listMarkets({ limit: 2, sort: 'created_desc' });
  const markets = existing.markets.map((market) => market.id);
  while (markets.length < 2) {
    const market = await pm.createMarket({
      creator: CRASH_CREATOR,
      question: 'Does an acknowledged trade outlive its process?',
      resolutionCriteria: 'It does.',
      resolveDate: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      category: 'other',
    });
    markets.push(market.id);
  }
  console.log('ready');
  await Promise.all(CRASH_WALLETS.map((wallet, index) => trade(pm, wallet, markets, index)));
}

/** One wallet that buys now YES, now NO, and sells a part now and then, for ever. */
async function trade(
  pm: ReturnType<typeof createPredictionMarket>,
  wallet: string,
  markets: number[],
  index: number,
): Promise<never> {
  for (let count = 0; ; count += 1) {
    const idempotencyKey = `${run}-${index}-${count}`;
    const side = (count + index) % 2 === 0 ? 'YES' : 'NO';
    const market = markets[count % markets.length] ?? 1;
    const order =
      count % 8 >= 6 ? { action: 'sell' as const, shares: 0.5 } : { action: 'buy' as const, amount: 1 };
    const done = await pm.placeTrade({ wallet, market, side, ...order, idempotencyKey });
    process.stdout.write(`ack ${idempotencyKey} ${done.id} ${done.shares} ${done.balance}\n`);
  }
}

void main();
