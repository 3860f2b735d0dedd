/** The receiver of docs/live.md works. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/ports/clock';
import { createPredictionMarket } from '../../../src/create-prediction-market';
import { memoryStorage } from '../../../adapters/storage/memory';
import { fakeFacilitator, fakeOracle, testWallet } from '../../../testing';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';

const folder = join(process.cwd(), '.tmp', `webhook-guide-${process.pid}`);
beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the documented receiver takes what is signed, once, and refuses the rest', async () => {
  const guide = await readFile(join(process.cwd(), 'docs/live.md'), 'utf8');
  const [, code = ''] = /```js\n(import express[\s\S]*?)```/.exec(guide) ?? [];
  const file = join(folder, 'receiver.mjs');
  await writeFile(file, code);
  const pm = createPredictionMarket({
    storage: memoryStorage(),
    oracle: fakeOracle(),
    facilitator: fakeFacilitator(),
    payTo: testWallet('payee').address,
    clock: systemClock,
    webhooks: { allowPrivate: true },
  });
  await pm.start();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const { secret } = await pm.createWebhook({ url });
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  try {
    await until(() => lines.includes(`listening ${port}`));
    for (const name of ['a', 'b']) await pm.approveCreator({ address: testWallet(name).address });
    await pm.runJobs();
    await pm.replayWebhook({ id: 1, seq: 1 });
    await pm.runJobs();
    expect((await pm.listWebhookDeliveries({ id: 1 })).deliveries).toMatchObject(
      Array.from({ length: 4 }, () => ({ outcome: 'delivered', responseStatus: 204 })),
    );
    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'webhook-id': 'x:1' },
      body: '{}',
    });
    expect(forged.status).toBe(401);
    await until(() => lines.length >= 3);
    expect(lines.slice(1)).toEqual(['creator.updated 1', 'creator.updated 2']);
  } finally {
    child.kill();
    await pm.close();
  }
});
