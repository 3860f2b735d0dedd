import { seededRandom } from 'express-prediction-market/testing';
import { freePort } from '../../support/free-port';
import { prepareMarkets } from '../../crash/prepare';
import { CRASH_WALLETS } from '../../crash/wallets';
import { checkEvents, marketOn, repeatAndCheckOrders, type OrderCounts } from './books';
import { heldOrder, keyHolders } from './clients';
import type { HttpTraderTask } from './http-trader';
import { startInstance, type Instance } from './instance';
import { newRecords, startTrader, type TraderProcess } from './trader-process';

const TRADER = 'test/postgres-operations/support/http-trader.ts';
const INSTANCES = 2;
const TRADERS = 3;
const TRADES_A_ROUND = 40;

export interface ChaosOptions {
  databaseUrl: string;
  seed: number;
  goOn(round: number): boolean;
  log(line: string): void;
}

export interface ChaosReport extends OrderCounts {
  kills: { instances: number; traders: number };
}

export async function runChaos({ databaseUrl, seed, goOn, log }: ChaosOptions): Promise<ChaosReport> {
  const pm = marketOn(databaseUrl);
  await pm.start();
  const holders = await keyHolders(
    pm,
    CRASH_WALLETS.map((_, index) => `chaos ${index}`),
  );
  const wallets = holders.map(({ address }) => address);
  const markets = await prepareMarkets(pm, wallets);
  const ports = await Promise.all(Array.from({ length: INSTANCES }, freePort));
  const instances = await Promise.all(ports.map((port) => startInstance(databaseUrl, port)));
  const records = newRecords();
  let born = 0;
  const spawnTrader = (): TraderProcess => {
    const run = `trader${(born += 1)}`;
    const task: HttpTraderTask = { bases: instances.map(({ base }) => base), run, markets, holders };
    return startTrader(records, run, TRADER, [JSON.stringify(task)]);
  };
  const traders = Array.from({ length: TRADERS }, spawnTrader);
  const kills = { instances: 0, traders: 0 };
  const random = seededRandom(seed);
  try {
    for (let round = 0; goOn(round); round += 1) {
      await everyoneTrades(traders);
      const victim = (random.bytes(1)[0] ?? 0) % (INSTANCES + TRADERS);
      log(`kill ${round + 1}: ${victim < INSTANCES ? 'instance' : 'trader'} ${victim}`);
      if (victim < INSTANCES) {
        kills.instances += 1;
        await replaceInstance(instances, victim, databaseUrl, ports[victim] ?? 0);
      } else {
        kills.traders += 1;
        await traders[victim - INSTANCES]?.child.kill();
        traders[victim - INSTANCES] = spawnTrader();
      }
    }
    await everyoneTrades(traders);
  } finally {
    await Promise.all(traders.map(({ child }) => child.kill()));
    for (const { child } of instances) child.process.kill('SIGTERM');
    await Promise.all(instances.map(({ child }) => child.ended));
  }
  const counts = await repeatAndCheckOrders(pm, records, wallets, (key) => heldOrder(key, markets, holders));
  await checkEvents(databaseUrl, counts.acknowledged + counts.unanswered);
  await pm.close();
  return { ...counts, kills };
}

async function everyoneTrades(traders: readonly TraderProcess[]): Promise<void> {
  await Promise.all(traders.map((trader) => trader.hasAcknowledged(trader.acknowledged() + TRADES_A_ROUND)));
}

async function replaceInstance(
  instances: Instance[],
  index: number,
  databaseUrl: string,
  port: number,
): Promise<void> {
  const victim = instances[index];
  if (victim === undefined) throw new Error(`there is no instance ${index}`);
  await victim.child.kill();
  instances[index] = await startInstance(databaseUrl, port);
}

export function forSeconds(seconds: number): (round: number) => boolean {
  const end = Date.now() + seconds * 1000;
  return () => Date.now() < end;
}
