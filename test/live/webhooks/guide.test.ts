import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import express from 'express';
import { systemClock } from '../../../src/ports/clock';
import { createPredictionMarket, type PredictionMarket } from '../../../src/create-prediction-market';
import { memoryStorage } from '../../../adapters/storage/memory';
import { fakeFacilitator, fakeOracle, testWallet } from '../../../testing';
import { freePort } from '../../support/free-port';
import { describeWith } from '../../support/optional';
import { openRawPostgres, startPostgres } from '../../support/postgres';
import { until } from '../../support/until';

const folder = join(process.cwd(), '.tmp', `webhook-guide-${process.pid}`);
let guide: string;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  guide = await readFile(join(process.cwd(), 'docs/live.md'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let pm: PredictionMarket;
let port: number;
let url: string;
let secret: string;
beforeEach(async () => {
  pm = createPredictionMarket({
    storage: memoryStorage(),
    oracle: fakeOracle(),
    facilitator: fakeFacilitator(),
    payTo: testWallet('payee').address,
    clock: systemClock,
    webhooks: { allowPrivate: true },
  });
  await pm.start();
  port = await freePort();
  url = `http://127.0.0.1:${port}/hooks`;
  secret = (await pm.createWebhook({ url })).secret;
});
afterEach(() => pm.close());

function codeAfter(opening: string): string {
  const [, rest = ''] = guide.split(`\`\`\`${opening}\n`);
  const [code = ''] = rest.split('```');
  expect(code).not.toBe('');
  return code;
}

interface Receiver {
  lines: string[];
  end(): Promise<void>;
}

async function receive(code: string, environment: Record<string, string> = {}): Promise<Receiver> {
  const file = join(folder, 'receiver.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit');
  await until(() => lines.includes(`listening ${port}`));
  return {
    lines,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function fact(name: string): Promise<number | null | undefined> {
  await pm.approveCreator({ address: testWallet(name).address });
  await pm.runJobs();
  return (await pm.listWebhookDeliveries({ id: 1 })).deliveries[0]?.responseStatus;
}

async function replay(): Promise<void> {
  await pm.replayWebhook({ id: 1, seq: 1 });
  await pm.runJobs();
}

async function forge(): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'webhook-id': 'x:1' };
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
}

it('the documented receiver takes what is signed, once, and refuses the rest', async () => {
  const receiver = await receive(codeAfter('js'));
  try {
    for (const name of ['a', 'b']) expect(await fact(name)).toBe(204);
    await replay();
    expect((await pm.listWebhookDeliveries({ id: 1 })).deliveries).toMatchObject(
      Array.from({ length: 4 }, () => ({ outcome: 'delivered', responseStatus: 204 })),
    );
    expect(await forge()).toBe(401);
    await until(() => receiver.lines.length >= 3);
    expect(receiver.lines.slice(1)).toEqual(['creator.updated 1', 'creator.updated 2']);
  } finally {
    await receiver.end();
  }
});

it('the documented change of a secret lets the receiver take every message, before and after it is changed', async () => {
  const admin = createServer(express().use('/api/v2/admin', pm.adminRouter)).listen(0, '127.0.0.1');
  await once(admin, 'listening');
  const rotate = join(folder, 'rotate.mts');
  await writeFile(rotate, codeAfter('js rotate-secret'));
  let receiver = await receive(codeAfter('js'));
  try {
    expect(await fact('a')).toBe(204);
    const MARKET_URL = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', rotate], {
      env: { ...process.env, MARKET_URL, ADMIN_TOKEN: 'a-token-of-operators' },
    });
    expect(await fact('b')).toBe(204);
    await receiver.end();
    receiver = await receive(codeAfter('js'), { WEBHOOK_SECRET: stdout.trim() });
    expect(await fact('c')).toBe(204);

    await pm.rotateWebhookSecret({ id: 1, overlapSeconds: 0 });
    expect(await fact('d')).toBe(401);
  } finally {
    await receiver.end();
    admin.closeAllConnections();
    admin.close();
  }
});

describeWith('postgres', 'the documented receiver with a database', () => {
  it('counts each message once: through a failure, a replay and a restart', async () => {
    const server = await startPostgres();
    const raw = await openRawPostgres(server.url);
    const counted = async (): Promise<unknown> => (await raw.query('SELECT * FROM counts')).rows;
    const environment = { DATABASE_URL: server.url };
    let receiver = await receive(codeAfter('js durable-receiver'), environment);
    try {
      expect(await fact('a')).toBe(204);
      expect(await counted()).toEqual([{ type: 'creator.updated', count: 1 }]);
      await raw.query('ALTER TABLE counts RENAME TO away');
      expect(await fact('b')).toBe(503);
      await raw.query('ALTER TABLE away RENAME TO counts');
      await receiver.end();
      receiver = await receive(codeAfter('js durable-receiver'), environment);
      await replay();
      expect(await counted()).toEqual([{ type: 'creator.updated', count: 2 }]);
      await replay();
      expect(await fact('c')).toBe(204);
      expect(await counted()).toEqual([{ type: 'creator.updated', count: 3 }]);
      expect(await forge()).toBe(401);
    } finally {
      await receiver.end();
      await raw.end();
      await server.stop();
    }
  });
});
