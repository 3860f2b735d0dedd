import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { systemClock } from '../../src/ports/clock';
import { startService, wallet } from '../http/support/service';

const run = promisify(execFile);
const folder = join(process.cwd(), '.tmp', `guide-${process.pid}`);

beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('both documented ways of paying buy the feed', async () => {
  const guide = await readFile(join(process.cwd(), 'docs/paying.md'), 'utf8');
  const codes = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(codes).toHaveLength(2);
  const service = await startService({ facilitator: developmentFacilitator(), clock: systemClock });
  const server = createServer(service.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const [index, code] of codes.entries()) {
    const file = join(folder, `payer-${String(index)}.mts`);
    await writeFile(file, code);
    const env = {
      ...process.env,
      PRIVATE_KEY: wallet(851).privateKey,
      MARKET_URL: `http://127.0.0.1:${String(port)}`,
    };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { env });
    expect(stdout).toMatch(/^200 \{\s+asOf: /);
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});
