/**
 * Usage: consumer.ts <ConsumerSettings as JSON>. The process appends a line `<run> <seq>` to the file `log` for
 * each fact that it handles, and kills itself at the step `death`.
 */
import { appendFileSync } from 'node:fs';
import { createConsumers } from '../../src/jobs/consumers';
import { silentLogger } from '../../src/ports/logger';
import { realTimers } from '../../src/ports/timers';
import type { Storage } from '../../src/ports/storage';
import type { ConsumedFact } from '../../src/usecases/consumers/options';
import type { Context } from '../../src/usecases/context';
import { until } from '../support/until';
import { lightSqlite } from './light-sqlite';

export interface ConsumerSettings {
  file: string;
  log: string;
  run: number;
  /** How far the clock of this process is ahead, so that the leases of killed processes have ended. */
  aheadMs: number;
  poisonedSeq: number;
  death: { step: Step; time: number } | null;
}

export type Step = 'before handling' | 'after handling' | 'before a commit' | 'after a commit';

const settings = JSON.parse(process.argv[2] ?? '') as ConsumerSettings;
let left = settings.death?.time ?? 0;

function reached(step: Step): void {
  if (step !== settings.death?.step || --left > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // SIGKILL may take a moment. Until then this process must not go on.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function mortal(storage: Storage): Storage {
  return {
    ...storage,
    async transaction(work, options) {
      reached('before a commit');
      const result = await storage.transaction(work, options);
      reached('after a commit');
      return result;
    },
  };
}

function handle(_events: unknown, { seq }: ConsumedFact): void {
  reached('before handling');
  if (seq === settings.poisonedSeq) throw new Error('this fact is poisoned');
  appendFileSync(settings.log, `${settings.run} ${seq}\n`);
  reached('after handling');
}

async function main(): Promise<void> {
  const storage = await lightSqlite(settings.file);
  await storage.open({ logger: silentLogger });
  const clock = { now: () => Date.now() + settings.aheadMs, monotonic: () => performance.now() };
  const random = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
  const context = {
    storage: mortal(storage),
    clock,
    clockIsSteady: () => true,
    random,
    logger: silentLogger,
  };
  const consumers = createConsumers({
    context: context as unknown as Context,
    relay: { follow: () => () => undefined },
    onParked: () => undefined,
    timers: realTimers,
  });
  const options = { from: 'oldest', attempts: 2, firstPauseMs: 1, longestPauseMs: 1 } as const;
  await consumers.consume('books', handle, options);
  await until(() => isDone(storage), { what: 'that the consumer has handled every fact' });
  await consumers.stop();
  await storage.close();
}

function isDone(storage: Storage): Promise<boolean> {
  return storage.read(async (reader) => {
    const consumer = await reader.consumers.find('books');
    return consumer?.seq === (await reader.events.head());
  });
}

void main();
