import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { createRpc, errorText } from '../../adapters/shared/evm/rpc';
import { broadcast } from '../../adapters/shared/evm/transaction';
import { close, listen } from '../facilitator/support/facilitator-server';

const KEY = 'a-key-of-the-node-123';

let server: Server;
let message = '';
let data: unknown;
let statusLine: string | null = null;
beforeEach(() => {
  [data, statusLine] = [undefined, null];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      if (statusLine !== null) return response.writeHead(403, statusLine).end();
      const { id } = JSON.parse(body) as { id: number };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_001, message, data } }));
    });
  });
});
afterEach(() => close(server));

async function failure(): Promise<unknown> {
  const rpc = createRpc({ url: `http://127.0.0.1:${await listen(server)}/v2/${KEY}` });
  return rpc.send('eth_chainId', []).then(
    () => 'nothing',
    (error: unknown) => error,
  );
}

const told = async (): Promise<string> => errorText(await failure());

it.each([
  ['the quota is used up', 'the quota is used up'],
  ['two\nlines\0', 'two lines '],
  ['x'.repeat(100_000), 'x'.repeat(300)],
])('of %j', async (said, passedOn) => {
  message = said;
  expect(await told()).toBe(passedOn);
});

it('of a message with the key of the address, the key is left out', async () => {
  message = `the capacity of /v2/${KEY} is used up`;
  expect(await told()).toBe('the capacity of /v2/… is used up');
  const error: unknown = await createRpc({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}`,
  })
    .send('eth_chainId', [])
    .catch((caught: unknown) => caught);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
});

it('of a message with a word of the address, the error is still recognised', async () => {
  const rpc = createRpc({ url: `http://127.0.0.1:${await listen(server)}/execution2/nonce-1` });
  message = 'nonce too low';
  expect(await broadcast(rpc, '0x00')).toEqual({ status: 'nonce_taken' });
});

it.each([
  [`No access for ${KEY}`, 'server response 403 No access for …'],
  ['x'.repeat(5_000), `server response 403 ${'x'.repeat(280)}`],
])('of the HTTP status line %#, the text is short and without the key', async (line, passedOn) => {
  statusLine = line;
  const error = await failure();
  expect(errorText(error)).toBe(passedOn);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
});

it.each([
  ['0f1e2d3c4b5a69788796.nodes.example', '….nodes.example'],
  ['eth-node-2.internal.example', 'eth-node-2.internal.example'],
])('of a host name %s that is not found, a key is left out', async (host, shown) => {
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: 'ENOTFOUND',
    hostname: host,
  });
  const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((
    _host: string,
    _options: object,
    found: Found,
  ) => {
    found(error);
  }) as typeof dns.lookup);
  try {
    const caught: unknown = await createRpc({ url: `http://${host}/` })
      .send('eth_chainId', [])
      .catch((failed: unknown) => failed);
    expect(errorText(caught)).toBe(`getaddrinfo ENOTFOUND ${shown}`);
    expect(inspect(caught, { depth: 10, showHidden: true }).includes(host)).toBe(host === shown);
  } finally {
    lookup.mockRestore();
  }
});

type Found = (error: Error) => void;

it('of an error with the key deep inside, the key is left out', async () => {
  data = { a: { b: { c: { d: { e: { f: `${KEY} is used up` } } } } } };
  expect(inspect(await failure(), { depth: 20, showHidden: true })).not.toContain(KEY);
});
