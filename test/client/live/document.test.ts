import * as ws from 'ws';
import * as client from '../../../src/client';
import { snippetsOf } from '../../documents/snippets';
import { runSnippet } from '../support/snippets';
import { startServers, type Servers } from './real-servers';

let servers: Servers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

it.each(snippetsOf('docs/client-live.md').map((snippet) => [snippet.line, snippet] as const))(
  'the example of line %d of docs/client-live.md',
  async (_line, snippet) => {
    const modules = { ws, 'express-prediction-market/client': client };
    const [first] = servers.instances;
    let isOver = false;
    const trading = (async () => {
      while (!isOver && first !== undefined) {
        await servers.trade(first, servers.markets[0]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const logged = await runSnippet(snippet, modules, { MARKET_URL: servers.address }).finally(
      () => (isOver = true),
    );
    await trading;
    if (snippet.code.includes('console.log')) expect(logged.length).toBeGreaterThan(0);
    if (snippet.code.includes('begins anew')) expect(logged).toEqual([['begins anew:', 'EPOCH']]);
  },
);
