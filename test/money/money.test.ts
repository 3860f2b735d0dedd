/**
 * Each run prints a seed. MONEY_SEED=<seed> repeats the plan, but not the order in which the operations of a wave
 * interleave. MONEY_OPERATIONS=<n> sets the number of operations.
 */
import { randomInt } from 'node:crypto';
import { manualOracle } from '../../adapters/oracle/manual';
import { createPredictionMarket } from '../../src/create-prediction-market';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testClock } from '../../testing/test-clock';
import { testWallet } from '../../testing/test-wallets';
import { onEachStorage, type StorageGround } from '../support/storages';
import { compareAll } from './support/compare';
import { planOf } from './support/operations';
import { Runner, WALLET_ADDRESSES } from './support/runner';

const SEED = Number(process.env.MONEY_SEED ?? randomInt(2 ** 31));
const OPERATIONS = Number(process.env.MONEY_OPERATIONS ?? 10_000);
const WAVES_PER_AUDIT = 60;
const DAY_MS = 86_400_000;

async function run({ name, create }: StorageGround): Promise<void> {
  const { liquidityParameter, waves } = planOf(SEED, OPERATIONS);
  process.stdout.write(
    `money on ${name}: MONEY_SEED=${SEED}, ${waves.length} waves, b = ${liquidityParameter}\n`,
  );
  const home = await create();
  const storage = home.handle();
  const clock = testClock();
  const pm = createPredictionMarket({
    storage,
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: testWallet('payee').address,
    jobIntervalMs: DAY_MS,
    liquidityParameter,
    exposureLimit: 1_000_000_000,
    clock,
  });
  await pm.start();
  const runner = new Runner(pm, clock, liquidityParameter);
  let wave = 0;
  try {
    await runner.begin();
    for (const operations of waves) {
      await runner.wave(operations);
      wave += 1;
      if (wave % WAVES_PER_AUDIT === 0) await compareAll(pm, storage, runner.model, WALLET_ADDRESSES);
    }
    await runner.resolveAll();
    await compareAll(pm, storage, runner.model, WALLET_ADDRESSES);
    process.stdout.write(`money on ${name}: ${runner.model.trades} trades\n`);
    expect(runner.model.margins).toBeLessThan(OPERATIONS / 100);
    expect(runner.model.trades).toBeGreaterThan(OPERATIONS / 10);
  } catch (error) {
    throw new Error(`MONEY_SEED=${SEED}, wave ${wave} of ${waves.length}`, { cause: error });
  } finally {
    await pm.close();
    await home.destroy();
  }
}

onEachStorage('Money, against a plain model', (ground) => {
  it(`keeps every base unit through ${OPERATIONS} random operations`, () => run(ground), 240_000);
});
