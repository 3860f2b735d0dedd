/**
 * A process with one consumer on an SQLite file. It dies by SIGKILL at exactly the step that its settings
 * name, or ends when it has handled every fact. For each handled fact it adds the line `<run> <seq>` to a file.
 * Usage: consumer.ts <settings as JSON>
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
  /** How far the clock of the process is ahead, so that the leases of dead processes have ended. */
  aheadMs: number;
  /** The `seq` of the fact at which the handler always fails. */
  poisoned: number;
  /** `null`: the process does not die. */
  death: { step: Step; time: number } | null;
}

export type Step = 'before handling' | 'after handling' | 'before a commit' | 'after a commit';

const settings = JSON.parse(process.argv[2] ?? '') as ConsumerSettings;
let left = settings.death?.time ?? 0;

function reached(step: Step): void {
  if (step !== settings.death?.step || --left > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The process does nothing more until the signal arrives.
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
  if (seq === settings.poisoned) throw new Error('this fact is poisoned');
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
    // The consumer uses no other members of the context.
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
