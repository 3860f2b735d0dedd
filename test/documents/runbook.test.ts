import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import express from 'express';
import { createTestMarket, type TestMarket } from '../../testing';
import { commandsIn } from '../support/document-shell';

const PAGE = readFileSync('docs/runbook.md', 'utf8');
const TOKEN = 'ab$cd;ef(gh)&choose16';
const COMMANDS = [...new Set([...PAGE.matchAll(/`(ask [^`…]+)`/g)].map(([, command = '']) => command))];

/** This program stands in for curl, which a machine may lack. It knows the options that the page uses. */
const CURL = `#!${process.execPath}
const given = process.argv.slice(2);
const after = (name) => given[given.indexOf(name) + 1];
const [, authorization] = /^header = "Authorization: (.*)"$/m.exec(require('node:fs').readFileSync(0, 'utf8'));
const body = given.includes('-d') ? after('-d') : undefined;
const method = given.includes('-X') ? after('-X') : body === undefined ? 'GET' : 'POST';
const [name, value] = after('--header').split(': ');
const url = given.find((word) => word.startsWith('http'));
fetch(url, { method, body, headers: { authorization, [name]: value } })
  .then(async (answer) => process.stdout.write(await answer.text()));
`;

let market: TestMarket;
let server: Server;
let folder: string;
beforeAll(async () => {
  market = await createTestMarket();
  for (let made = 0; made < 7; made += 1) await market.createMarket();
  const app = express();
  app.use('/api/v2/admin', (request, response, next) =>
    request.get('authorization') === `Bearer ${TOKEN}` ? next() : response.sendStatus(401),
  );
  app.use('/api/v2/admin', market.pm.adminRouter);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'runbook-'));
  writeFileSync(join(folder, 'curl'), CURL);
  chmodSync(join(folder, 'curl'), 0o755);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answerTo(command: string): Promise<{ code?: string; message?: string }> {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begin = commandsIn(PAGE)
    .replace('https://market.example.com', base)
    .replace('change-me', `'${TOKEN}'`);
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', `${begin}\n${command}`], {
    env: { PATH: `${folder}:${process.env.PATH ?? ''}` },
  });
  return JSON.parse(stdout) as { code?: string; message?: string };
}

it('the page has commands for markets, money, payments, withdrawals and webhooks', () => {
  const routes = ['markets', 'treasury', 'payments', 'withdrawals', 'webhooks', 'resolutions', 'log'];
  for (const route of routes) expect(COMMANDS.join('\n')).toContain(`$API/${route}`);
});

it.each(COMMANDS)('%s', async (command) => {
  const { code, message } = await answerTo(command);
  // No payment, withdrawal or webhook has the id 7. Earlier commands may have changed market 7.
  if (code !== undefined) expect(code).toMatch(/^(NOT_FOUND|ALREADY_RESOLVED|MARKET_CLOSED|NOT_ESCALATED)$/);
  if (code === 'NOT_FOUND')
    expect(message).toMatch(/^There is no (payment 7|withdrawal 7|such (webhook|withdrawal))$/);
});
