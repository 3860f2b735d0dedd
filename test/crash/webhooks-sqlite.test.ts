import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver } from '../live/webhooks/receiver';
import { program } from '../support/program';

const LEASE_MS = 30_000;

test('a message that was sent and not noted is sent again under the same id, and then no more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-webhooks-'));
  const receiver = await startReceiver();
  const run = async (...given: string[]): Promise<unknown> => {
    const file = join(folder, 'markets.db');
    const script = program('test/crash/webhook-program.ts');
    const child = spawn(process.execPath, [...script, file, receiver.url, ...given], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return code ?? signal;
  };
  try {
    expect(await run('0', 'dies')).toBe('SIGKILL');
    expect(receiver.received).toHaveLength(1);
    // The argument sets the clock ahead, so that the lease of the killed process has ended.
    expect(await run(String(LEASE_MS))).toBe(0);
    expect(await run(String(2 * LEASE_MS))).toBe(0);
    const [id = ''] = receiver.ids();
    expect(receiver.ids()).toEqual([id, id]);
    expect(id).toMatch(/^[0-9a-f]{32}:1$/);
  } finally {
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
