import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPoster, type Poster } from '../../src/outbound/post';

let requests: { host: string; port: number }[];
let reply: (response: ServerResponse, request: IncomingMessage) => void;
let port: number;
let poster: Poster | null = null;
const server = createServer((request, response) => {
  requests.push({ host: request.headers.host ?? '', port: request.socket.remotePort ?? 0 });
  request.resume().once('end', () => reply(response, request));
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  requests = [];
  reply = (response) => void response.end('ok');
});
afterEach(() => poster?.close());
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** `addressOf(n)` is the answer to the n-th look-up of a name. */
function posterWith(allowPrivate: boolean, addressOf: (lookUp: number) => string) {
  const lookUps: string[] = [];
  poster = createPoster({
    allowPrivate,
    longestAnswerBytes: 1_000,
    resolve: async (hostname) => {
      lookUps.push(hostname);
      return [{ address: addressOf(lookUps.length), family: 4 }];
    },
  });
  const post = (url: string, signal = new AbortController().signal) =>
    (poster as Poster).post({ url, headers: {}, body: '{}', signal });
  return { post, lookUps };
}
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it answered',
    (error: unknown) => (error as Error).message,
  );
const NOT_PUBLIC = "the receiver's address is not public";

describe('a post', () => {
  it('goes to the address that was checked: a name is resolved once for each connection', async () => {
    const { post, lookUps } = posterWith(true, () => '127.0.0.1');
    for (let number = 0; number < 3; number += 1) await post(`http://receiver.test:${port}/`);
    expect(lookUps).toEqual(['receiver.test']);
    expect(new Set(requests.map((request) => request.port)).size).toBe(1);
    expect(requests[0]?.host).toBe(`receiver.test:${port}`);
  });

  it('goes to no name that has become private', async () => {
    const { post, lookUps } = posterWith(false, (lookUp) => (lookUp === 1 ? '8.8.8.8' : '127.0.0.1'));
    const calledOff = new AbortController();
    // The caller aborts before a connection to the public address begins, so the test needs no network.
    const first = failureOf(post(`https://receiver.test:${port}/`, calledOff.signal));
    calledOff.abort();
    expect(await first).toBe('the receiver could not be reached (ABORT_ERR)');
    expect(await failureOf(post(`https://receiver.test:${port}/`))).toBe(NOT_PUBLIC);
    expect(lookUps.length).toBeGreaterThanOrEqual(1);
    expect(requests).toEqual([]);
  });

  it.each(['https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/', 'http://8.8.8.8/'])(
    'goes not to %s',
    async (url) => {
      const { post } = posterWith(false, () => '127.0.0.1');
      expect(await failureOf(post(url))).toBe(NOT_PUBLIC);
    },
  );

  it.each(['https://localhost/', 'https://LocalHost./', 'https://api.localhost:8443/'])(
    'goes not to %s, and does not resolve it',
    async (url) => {
      const { post, lookUps } = posterWith(false, () => '8.8.8.8');
      expect([await failureOf(post(url)), lookUps]).toEqual([NOT_PUBLIC, []]);
    },
  );

  it('reads the beginning of a long answer, and of one that breaks off', async () => {
    const { post } = posterWith(true, () => '127.0.0.1');
    reply = (response) => void response.end('x'.repeat(100_000));
    expect(await post(`http://receiver.test:${port}/`)).toMatchObject({
      status: 200,
      text: 'x'.repeat(1_000),
    });
    reply = (response) => {
      response.writeHead(202, { 'Content-Length': 100 });
      response.write('half', () => response.destroy());
    };
    expect(await post(`http://receiver.test:${port}/`)).toMatchObject({ status: 202, text: 'half' });
  });

  it('is sent again at once when the receiver has just closed the connection that was kept open', async () => {
    const { post } = posterWith(true, () => '127.0.0.1');
    await post(`http://receiver.test:${port}/`);
    const kept = requests[0]?.port;
    reply = (response, request) =>
      request.socket.remotePort === kept ? request.socket.resetAndDestroy() : void response.end('again');
    expect(await post(`http://receiver.test:${port}/`)).toMatchObject({ text: 'again' });
    expect(requests).toHaveLength(3);
  });

  it('names no address when it fails', async () => {
    const { post } = posterWith(true, () => '127.0.0.1');
    reply = (_response, request) => void request.socket.destroy();
    const failure = await failureOf(post(`http://receiver.test:${port}/secret-path`));
    expect(failure).toBe('the receiver could not be reached (ECONNRESET)');
  });
});
