/** Each command of operators in docs/runbook.md is one that the program and the operators' routes understand. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { OPERATOR_GROUPS, OPERATOR_SINGLES } from '../../cli/operators';
import { createTestMarket, type TestMarket } from '../../testing';
import { run } from '../cli/support';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';

const PAGE = readFileSync('docs/runbook.md', 'utf8');
const ADMIN_TOKEN = 'ab$cd;ef(gh)&choose16';
const NAMES = [...OPERATOR_GROUPS, ...OPERATOR_SINGLES].map(({ name }) => name).concat('audit');
/** The words of a command. A text in quotation marks is one word. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
const COMMANDS = [
  ...new Set([...PAGE.matchAll(/`market ([^`…]+)`/g)].map(([, command = '']) => command)),
].filter((command) => NAMES.includes(command.split(' ')[0] ?? ''));

let database: SqliteFile;
let market: TestMarket;
let server: Server;
beforeAll(async () => {
  database = await migratedSqliteFile();
  market = await createTestMarket({ storage: sqliteStorage({ file: database.file }) });
  for (let made = 0; made < 7; made += 1) await market.createMarket();
  const app = express();
  app.use('/api/v2/admin', (request, response, next) =>
    request.get('authorization') === `Bearer ${ADMIN_TOKEN}` ? next() : response.sendStatus(401),
  );
  app.use('/api/v2/admin', market.pm.adminRouter);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await market.close();
  await database.remove();
});

it('the page has commands for markets, money, payments, withdrawals and webhooks', () => {
  const groups = ['markets', 'treasury', 'payments', 'withdrawals', 'webhooks', 'resolutions', 'log'];
  for (const group of groups) expect(COMMANDS.map((command) => command.split(' ')[0])).toContain(group);
});

it.each(COMMANDS)('%s', async (command) => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { exitCode, told } = await run(wordsOf(command), {
    environment: { DATABASE_URL: `sqlite:${database.file}`, ADMIN_TOKEN },
    clock: market.clock,
    fetch: (address, init) => fetch((address as string).replace('http://127.0.0.1:3000', base), init),
  });
  if (exitCode === 0) return;
  // There is no key 12, and no payment, withdrawal or webhook 7. Earlier commands may have changed market 7.
  const there = /There is no (payment 7|withdrawal 7|such webhook|active key)/;
  const changed = /Market PM-0007 (was resolved YES|does not wait|is resolved already)/;
  expect({ exitCode, told }).toEqual({ exitCode: 2, told: [expect.stringMatching(/^error: /)] });
  expect(told[0]).toMatch(new RegExp(`${there.source}|${changed.source}`));
});
