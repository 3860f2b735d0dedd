import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { httpOracleWith } from '../../adapters/oracle/http';
import { checkedLookup, isPrivateHost, isPublicAddress } from '../../src/outbound/addresses';
import { postFollowing } from '../../adapters/oracle/http/request';
import type { Oracle } from '../../src/ports/oracle';
import { ANY_QUESTION } from './support/obedient-model';

const key = Buffer.from('a secret of thirty-two bytes....');
const secret = `whsec_${key.toString('base64')}`;

interface Asked {
  path: string;
  host: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let asked: Asked[];
let reply: (request: IncomingMessage, response: ServerResponse) => void;
let port: number;
const resolved: string[] = [];
const resolve = async (hostname: string) => {
  resolved.push(hostname);
  return [{ address: '127.0.0.1', family: 4 }];
};

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { url = '', headers } = request;
    asked.push({ path: url, host: headers.host ?? '', headers, body });
    reply(request, response);
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => {
  asked = [];
  resolved.length = 0;
  reply = (_request, response) => response.end('{"outcome":"YES","probability":1,"confidence":1}');
});

const oracle = (path = '/', host = 'resolver.test'): Oracle =>
  httpOracleWith(resolve, { url: `http://${host}:${port}${path}`, secret, allowPrivate: true });
const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it answered',
    (error: unknown) => (error as Error).message,
  );

describe('a question', () => {
  it('is signed by the rules of Standard Webhooks, and names its market', async () => {
    const question = { ...ANY_QUESTION, marketId: 7, slug: 'did-it-rain' };
    expect(await oracle().ask(question)).toMatchObject({ outcome: 'YES' });
    const { headers, body } = asked[0] as Asked;
    expect(JSON.parse(body)).toEqual(question);
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(question);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('goes to the address that was checked: its name is resolved once', async () => {
    await oracle().ask(ANY_QUESTION);
    expect(resolved).toEqual(['resolver.test']);
    expect(asked[0]?.host).toBe(`resolver.test:${port}`);
  });

  it('may be answered by a bare abstention', async () => {
    reply = (_request, response) => response.end('{"outcome":"TOO_EARLY"}');
    expect(await oracle().ask(ANY_QUESTION)).toMatchObject({ outcome: 'TOO_EARLY', confidence: 0 });
  });

  it.each(['{"outcome":"YES"}', '{"outcome":"YES","probability":0.1,"confidence":1}', '[]', 'YES', ''])(
    'is not answered by %j',
    async (body) => {
      reply = (_request, response) => response.end(body);
      expect(await failureOf(oracle().ask(ANY_QUESTION))).toMatch(/^the resolver/);
    },
  );

  it('is not answered by more than a megabyte', async () => {
    reply = (_request, response) => response.end(' '.repeat(1_100_000));
    expect(await failureOf(oracle().ask(ANY_QUESTION))).toBe(
      'the resolver answered with more than 1000000 bytes',
    );
  });
});

describe('a redirect', () => {
  const redirecting = (status: number, location: string): void => {
    reply = (request, response) => {
      if (request.url === '/start') response.writeHead(status, { Location: location }).end();
      else response.end('{"outcome":"NO","probability":0,"confidence":1}');
    };
  };

  it('is followed with the body, and its name is resolved as well', async () => {
    redirecting(307, `http://other.test:${port}/there`);
    expect(await oracle('/start').ask(ANY_QUESTION)).toMatchObject({ outcome: 'NO' });
    expect(resolved).toEqual(['resolver.test', 'other.test']);
    expect(asked[1]).toMatchObject({ path: '/there', body: asked[0]?.body });
  });

  it('that would lose the body is not followed', async () => {
    redirecting(302, `http://other.test:${port}/there`);
    expect(await failureOf(oracle('/start').ask(ANY_QUESTION))).toBe('the resolver answered HTTP 302');
  });

  it('in a circle ends', async () => {
    redirecting(308, '/start');
    expect(await failureOf(oracle('/start').ask(ANY_QUESTION))).toMatch(/redirects more than 3 times/);
    expect(asked).toHaveLength(4);
  });

  it('to a name with a private address is refused when the name is resolved', async () => {
    redirecting(307, `http://inside.test:${port}/there`);
    const strict = checkedLookup(async () => [{ address: '10.0.0.1', family: 4 }], false);
    const free = checkedLookup(resolve, true);
    const post = postFollowing({
      url: `http://resolver.test:${port}/start`,
      body: '{}',
      headers: {},
      lookup: (hostname, options, callback) =>
        (hostname === 'inside.test' ? strict : free)(hostname, options, callback),
      allowPrivate: true,
      signal: new AbortController().signal,
    });
    expect(await failureOf(post)).toMatch(/not public/);
    expect(asked).toHaveLength(1);
  });
});

describe('a private address', () => {
  const strict = (url: string, addresses: string[]): Promise<string> => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return failureOf(httpOracleWith(async () => found, { url, secret }).ask(ANY_QUESTION));
  };

  it('is refused in the URL, in every notation', async () => {
    const hosts = ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254'];
    for (const host of hosts) expect(await strict(`https://${host}/`, [])).toMatch(/not public/);
  });

  it('is refused behind a name, also beside a public one', async () => {
    expect(await strict('https://resolver.test/', ['192.168.1.1'])).toMatch(/not public/);
    expect(await strict('https://resolver.test/', ['8.8.8.8', 'fd00::1'])).toMatch(/not public/);
  });

  it.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '::', '::1', 'fe80::1', 'fe80::1%eth0'],
    ...['fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '::127.0.0.1', 'x'],
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('is not 8.8.8.8, nor 2606:4700::1', () => {
    expect(['8.8.8.8', '2606:4700::1'].map(isPublicAddress)).toEqual([true, true]);
    expect(isPrivateHost(new URL('https://example.com'))).toBe(false);
  });

  it('needs allowPrivate, as plain http does', () => {
    expect(() => httpOracleWith(resolve, { url: 'http://example.com', secret })).toThrow(
      'httpOracleWith: url must be an https address, unless allowPrivate is true',
    );
  });
});
