import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { WebSocket } from 'ws';
import { sqliteStorage } from '../../../adapters/storage/sqlite';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { CLOSE_CODES } from '../../../src/live/websocket/close-codes';
import { seededRandom } from '../../../testing/seeded-random';
import { until } from '../../support/until';
import { ALICE, type Message } from '../feed/support';
import { createSocketWorld, type SocketWorld } from './support';

const page = readFileSync('docs/live.md', 'utf8');

interface Callbacks {
  onMessage(message: Message): void;
  onState(state: unknown): void;
  onEnd?(reason: Error | undefined): void;
}
type Follow = (url: string, channels: string[], callbacks: Callbacks) => (reason?: Error) => void;

/** Runs the client that docs/live.md prints. `open` makes the sockets, and the pauses of the client end at once. */
function documentedClient(open: (url: string) => WebSocket): Follow {
  const [, client] = /```js live-client\n([^]*?)```/.exec(page) ?? [];
  const body = (client ?? '').replace(/^import .*$/m, '').replace('export function', 'return function');
  const Socket = function (url: string): WebSocket {
    return open(url);
  };
  const made = compileFunction(body, ['WebSocket', 'setTimeout']) as (...given: unknown[]) => Follow;
  return made(Socket, (callback: () => void) => setImmediate(callback));
}

it('the client of docs/live.md has every message once and in order, whichever instance it resumes on', async () => {
  const first = await createSocketWorld();
  const second = await createSocketWorld({ shared: first });
  const worlds: SocketWorld[] = [first, second];
  const random = seededRandom(7);
  const pick = (below: number): number => (random.bytes(1)[0] ?? 0) % below;
  const sockets: WebSocket[] = [];
  const follow = documentedClient(() => {
    const { port } = worlds[pick(2)] ?? first;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/ws`);
    sockets.push(socket);
    return socket;
  });
  const messages: Message[] = [];
  const states: unknown[] = [];
  let ended: Error | undefined;
  const stop = follow('', ['trades', 'market:1'], {
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
    onEnd: (reason) => (ended = reason),
  });
  await until(() => states.length === 1);
  const begin = await first.head();
  for (let round = 0; round < 60; round += 1) {
    await first.commit(...Array.from({ length: 1 + pick(5) }, () => first.trade(1 + pick(2))));
    for (const { instance_ } of worlds) if (pick(3) > 0) await instance_.run();
    if (pick(4) === 0) sockets.at(-1)?.terminate();
    if (pick(3) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { instance_ } of worlds) await instance_.run();
  const rows = await first.storage.read((reader) => reader.events.after(begin, 1_000));
  const expected = rows.flatMap(({ seq, marketId }) => (marketId === 1 ? [seq, seq] : [seq]));
  await until(() => messages.length >= expected.length);
  expect(messages.map(({ seq }) => seq)).toEqual(expected);
  expect(sockets.length).toBeGreaterThan(5);

  expect(ended).toBeUndefined();
  stop();
  await Promise.all(worlds.map((world) => world.stop()));
  expect(ended).toBeUndefined();
});

it('a key that is revoked on one instance closes its sockets on the other, over one SQLite file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sockets-'));
  const handles = [1, 2].map(() => sqliteStorage({ file: join(folder, 'markets.db') }));
  const [own, other] = handles as [Storage, Storage];
  const first = await createSocketWorld({ storage: own });
  await other.open({ logger: silentLogger });
  const second = await createSocketWorld({ shared: first, over: () => other });
  const { id, apiKey } = await first.key();
  const client = await second.open({ headers: { 'X-API-Key': apiKey } });
  await client.subscribe(['account']);
  await first.storage.transaction((transaction) => transaction.apiKeys.revoke(id, ALICE, 1));
  await first.commit(first.balance());
  await second.instance_.run();
  expect(await client.end()).toMatchObject({ code: 4401 });
  expect(client.events()).toEqual([]);
  await Promise.all([first.stop(), second.stop()]);
  for (const handle of handles) await handle.close();
  rmSync(folder, { recursive: true, force: true });
});

it('docs/live.md lists the close codes that the service uses', () => {
  const section = page.split('### Limits and close codes\n')[1]?.split('\n### ')[0] ?? '';
  const listed = [...section.matchAll(/^\| (\d{4}) /gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(CLOSE_CODES).sort((left, right) => left - right));
});
