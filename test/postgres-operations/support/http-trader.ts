/**
 * Usage: tsx http-trader.ts <JSON of HttpTraderTask>. The process trades over HTTP until it is killed. Prints
 * `order <key>` before an order, `ack <key> <trade id>` after a trade, and `wrong <status> <body>` before it ends
 * with 1.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { orderKey } from '../../crash/orders';
import { heldOrder, sendOrder, type KeyHolder, type TradeAnswer } from './clients';

export interface HttpTraderTask {
  bases: string[];
  run: string;
  markets: number[];
  holders: KeyHolder[];
}

const PAUSE_MS = 25;

async function trade({ bases, run, markets, holders }: HttpTraderTask, index: number): Promise<never> {
  const holder = holders[index];
  if (holder === undefined) throw new Error(`there is no holder ${index}`);
  let attempts = index;
  for (let count = 0; ; count += 1) {
    const order = heldOrder(orderKey(run, index, count), markets, holders);
    const key = order.idempotencyKey;
    process.stdout.write(`order ${key}\n`);
    for (let answer: TradeAnswer | null = null; answer?.status !== 201;) {
      const base = bases[attempts % bases.length] ?? '';
      answer = await sendOrder(base, holder, order).catch(() => null);
      if (answer?.status === 201) process.stdout.write(`ack ${key} ${answer.body.id}\n`);
      else if (answer === null || answer.status === 503) await pause(PAUSE_MS);
      else {
        process.stdout.write(`wrong ${answer.status} ${JSON.stringify(answer.body)}\n`);
        process.exit(1);
      }
      if (answer?.status !== 201) attempts += 1;
    }
  }
}

const task = JSON.parse(process.argv[2] ?? '') as HttpTraderTask;
void Promise.all(task.holders.map((_, index) => trade(task, index)));
