import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { EPOCH_SETTING } from '../../src/usecases/facts/read-facts';
import { sampleEvent } from '../../testing/storage-conformance/samples';
import { program } from '../support/program';
import type { ConsumerSettings, Step } from './consumer';

const POISONED = 777;
const KILLS = 100;
const MARKETS = 3;
const LEASE_MS = 16_000;
const STEPS: Step[] = ['before handling', 'after handling', 'before a commit', 'after a commit'];

function pseudoRandomDeathOf(run: number): { step: Step; time: number } {
  const step = STEPS[run % STEPS.length] as Step;
  const chance = (run * 7_919) % 101;
  return { step, time: 1 + (chance % (step.endsWith('commit') ? 4 : 40)) };
}

async function commit(storage: Storage, count: number, first: number): Promise<void> {
  const data = { address: '0x00000000000000000000000000000000000000a1', status: 'approved', reason: null };
  await storage.transaction((transaction) =>
    transaction.events.append(
      Array.from({ length: count }, (_, index) => sampleEvent({ marketId: (first + index) % MARKETS, data })),
    ),
  );
}

/**
 * Returns the lines that break the order. A killed consumer may repeat facts: the first line of a run may name any
 * earlier fact, and the next lines follow in order.
 */
function outOfOrder(lines: readonly { run: number; seq: number }[]): string[] {
  let last = { run: 0, seq: 0 };
  let newest = 0;
  const wrong: string[] = [];
  const following = (seq: number): number => (seq + 1 === POISONED ? seq + 2 : seq + 1);
  for (const line of lines) {
    const isNext = line.seq === following(newest);
    const isRepeated = line.seq <= newest && (line.run !== last.run || line.seq === following(last.seq));
    if (!isNext && !isRepeated) wrong.push(`${line.seq} after ${last.seq} in run ${line.run}`);
    newest = Math.max(newest, line.seq);
    last = line;
  }
  return wrong;
}

test('a consumer killed a hundred times has handled every fact in order, and parked the one that is poisoned', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'consumer-crash-'));
  const [file, log] = [join(folder, 'markets.db'), join(folder, 'handled')];
  const storage = sqliteStorage({ file });
  await storage.open({ logger: silentLogger });
  try {
    await storage.transaction((transaction) => transaction.settings.putIfAbsent(EPOCH_SETTING, 'epoch-1'));
    let committed = 300;
    await commit(storage, committed, 0);
    let kills = 0;
    const work = (run: number, death: ConsumerSettings['death']): NodeJS.Signals | null => {
      const settings: ConsumerSettings = {
        file,
        log,
        run,
        aheadMs: run * LEASE_MS,
        poisonedSeq: POISONED,
        death,
      };
      const child = spawnSync(process.execPath, [
        ...program('test/crash/consumer.ts'),
        JSON.stringify(settings),
      ]);
      if (child.signal === null && child.status !== 0) throw new Error(String(child.stderr));
      return child.signal;
    };
    let run = 0;
    for (; kills < KILLS && run < 2 * KILLS; run += 1) {
      await commit(storage, 40, committed);
      committed += 40;
      if (work(run, pseudoRandomDeathOf(run)) === 'SIGKILL') kills += 1;
    }
    expect(kills).toBe(KILLS);
    expect(work(run, null)).toBeNull();
    const lines = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').map(Number))
      .map(([ofRun = 0, seq = 0]) => ({ run: ofRun, seq }));
    const seqs = new Set(lines.map(({ seq }) => seq));
    expect([seqs.size, seqs.has(POISONED), outOfOrder(lines)]).toEqual([committed - 1, false, []]);
    const query = { consumer: 'books', limit: 10, offset: 0 };
    const { parked } = await storage.read((reader) => reader.consumers.listParked(query));
    expect(parked.map(({ seq, error }) => [seq, error])).toEqual([
      [POISONED, 'Error: this fact is poisoned'],
    ]);
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
