import { challengeProblem } from '../../src/client/challenge';
import { createClient, type ClientOptions, type WalletSigner } from '../../src/client/index';
import { serveMarket, type ServedMarket } from './support/server';

describe('a client', () => {
  let served: ServedMarket;
  beforeAll(async () => {
    served = await serveMarket({ keyRateLimit: 10_000, addressRateLimit: 10_000 });
  });
  afterAll(() => served.close());

  function watched(): { signer: WalletSigner; signed: string[] } {
    const signed: string[] = [];
    const wallet = served.test.wallet('watched');
    const { address } = wallet;
    const signMessage = (text: string): Promise<string> => {
      signed.push(text);
      return wallet.signMessage(text);
    };
    return { signer: { address, signMessage }, signed };
  }

  async function challengeOf(host: string, signer: WalletSigner): Promise<object> {
    const client = createClient({ baseUrl: served.url });
    const { address } = signer;
    const challenge = await client.keys.challenge({ address: address as string, action: 'issue' });
    const message = challenge.message.replace(/^[^\n]*/, `Market (https://${host}/api/v2)`);
    return { success: true, data: { ...challenge, message } };
  }

  it.each(['text', 'siwe'] as const)('signs its own service with the format %s', async (format) => {
    const { signer, signed } = watched();
    const client = createClient({ baseUrl: served.url });
    await client.connectWallet(signer, { format, label: format, replace: true });
    expect(signed).toHaveLength(1);
  });

  it('signs nothing that names another service, and says which one it names', async () => {
    const { signer, signed } = watched();
    served.faults.push({ status: 200, body: await challengeOf('bank.example', signer) });
    await expect(createClient({ baseUrl: served.url }).connectWallet(signer)).rejects.toMatchObject({
      code: 'CHALLENGE_REFUSED',
      outcome: 'refused',
      message: expect.stringMatching(/bank\.example.*serviceUrl/),
    });
    expect(signed).toEqual([]);
  });

  it.each<[string, Partial<ClientOptions>]>([
    ['the service that the option serviceUrl names', { serviceUrl: 'https://market.example' }],
    ['every service when serviceUrl is null', { serviceUrl: null }],
  ])('signs for %s', async (_what, options) => {
    const { signer, signed } = watched();
    served.faults.push({ status: 200, body: await challengeOf('market.example', signer) });
    const client = createClient({ baseUrl: served.url, ...options });
    await expect(client.connectWallet(signer)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(signed).toHaveLength(1);
  });
});

describe('a message', () => {
  const address = '0xAbC0000000000000000000000000000000000001';
  const expected = { action: 'issue', address, nonce: 'abc123', host: 'market.example' };
  const text = (title: string): string =>
    [title, 'Action: issue', `Address: ${address}`, 'Nonce: abc123', 'Timestamp: 1700000000'].join('\n');
  const siwe = (domain: string): string =>
    [
      `${domain} wants you to sign in with your Ethereum account:`,
      address,
      '',
      'Issue an API key at Market. Action: issue',
      '',
      `URI: https://${domain}/`,
      'Version: 1',
      'Chain ID: 1',
      'Nonce: abc123',
      'Issued At: 2027-01-01T00:00:00.000Z',
    ].join('\n');

  it.each([
    ['a text of the service', text('Market (https://market.example/api/v2)')],
    ['a text whose name holds brackets', text('Market (beta) (https://market.example)')],
    ['a text without an address of a service', text('Market')],
    ['an address in lower case', text('Market').replace(address, address.toLowerCase())],
    ['a sign-in of the service', siwe('market.example')],
    ['a sign-in that writes the host in capitals', siwe('MARKET.example')],
  ])('may be signed: %s', (_what, message) => {
    expect(challengeProblem(message, expected)).toBeNull();
  });

  it.each([
    ['a text of another service', text('Market (https://bank.example/)')],
    ['a host that begins with ours', text('Market (https://market.example.evil/)')],
    ['our host as the name of a user', text('Market (https://market.example@bank.example/)')],
    ['another port', text('Market (https://market.example:8080/)')],
    ['another action', text('Market').replace('issue', 'revoke')],
    ['another wallet', text('Market').replace('0001', '0002')],
    ['another nonce', text('Market').replace('abc123', 'abc124')],
    ['a further line', `${text('Market')}\nNonce: 2`],
    ['no time', text('Market').replace('1700000000', 'now')],
    ['a sign-in elsewhere', siwe('bank.example')],
    ['a sign-in for something else', siwe('market.example').replace(' Action: issue', '')],
    ['a sign-in of another wallet', siwe('market.example').replace('0001', '0002')],
    ['a sign-in with another nonce', siwe('market.example').replace('abc123', 'abc124')],
    ['a sentence', 'I give everything away.'],
    ['nothing', ''],
  ])('must not be signed: %s', (_what, message) => {
    expect(challengeProblem(message, expected)).toEqual(expect.any(String));
  });

  it.each([
    ['localhost:3000', '127.0.0.1:3000', true],
    ['localhost:3000', '[::1]:3000', true],
    ['localhost:3000', '127.0.0.1:3001', false],
    ['localhost.evil:3000', 'localhost:3000', false],
    ['127.0.0.1.evil', 'localhost', false],
  ])('from %s may be signed at %s: %s', (named, host, may) => {
    const message = text(`Market (http://${named}/api/v2)`);
    expect(challengeProblem(message, { ...expected, host }) === null).toBe(may);
  });
});
