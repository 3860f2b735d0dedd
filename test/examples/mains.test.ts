import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { until } from '../support/until';

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EXAMPLES = {
  'existing-express-app': '/api/v2/health',
  'express-4': '/markets/api/v2/health',
  'custom-oracle': '/api/v2/health',
  'custom-facilitator': '/api/v2/x402/info',
  'custom-storage': '/api/v2/health',
  'testing-supertest': '/favourites',
  'testing-vitest': '/results',
  'billing-consumer': '/billing/total',
};

it.each(Object.entries(EXAMPLES))('%s starts, answers and stops', async (name, path) => {
  const environment = {
    PORT: '0',
    FEED_PORT: String(await freePort()),
    DATABASE_FILE: join(folder, `${name}.db`),
    FEES_FILE: join(folder, 'fees.db'),
  };
  const servers: Server[] = [];
  const listen = jest.spyOn(Server.prototype, 'listen');
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    jest.isolateModules(() => {
      jest.requireActual(`../../examples/${name}/main`);
    });
    await until(() => log.mock.calls.length > 0);
    servers.push(...(listen.mock.contexts as Server[]));
    const { port } = servers.at(-1)?.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect({ status: response.status }).toEqual({ status: 200 });
  } finally {
    process.env = before;
    const ended = servers.filter((server) => server.listening).map((server) => once(server, 'close'));
    process.emit('SIGTERM');
    await Promise.all(ended);
    for (const spy of [listen, log, warn]) spy.mockRestore();
  }
});

it('all name their own files with the ending .js, which a project of ES modules needs', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('standalone'),
  );
  const imports = files.flatMap((file) =>
    [...readFileSync(join('examples', file), 'utf8').matchAll(/(?:from|import\() ?'(\.\/[^']+)'/g)].map(
      ([, name = '']) => `${file}: ${name}`,
    ),
  );
  expect(imports.length).toBeGreaterThan(20);
  expect(imports.filter((line) => !line.endsWith('.js'))).toEqual([]);
});
