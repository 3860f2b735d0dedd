import { readFileSync } from 'node:fs';
import { testWallet } from '../../testing/index';
import { snippetsOf } from '../documents/snippets';
import * as guide from './guide.example';
import { ethereumProvider } from './support/ethereum-provider';
import { ADMIN_TOKEN, serveMarket, type ServedMarket } from './support/server';

const EXAMPLES = 'test/client/guide.example.ts';
const IMPORT = /^import [^;]*;\n/gm;

function parts(): string[] {
  const source = readFileSync(EXAMPLES, 'utf8');
  return [...source.matchAll(/^ {2}\/\/ example\n([^]*?)^ {2}\/\/ end$/gm)].map(([, part = '']) =>
    part.replace(/^ {2}/gm, ''),
  );
}

function namesOf(imports: readonly string[]): string[] {
  return imports.flatMap((line) => {
    const [, names = '', from = ''] = /\{([^}]*)\} from '([^']*)'/.exec(line) ?? [];
    return names.split(',').flatMap((name) => (name.trim() === '' ? [] : [`${name.trim()} of ${from}`]));
  });
}

it('docs/client.md and README.md show the code of the examples', () => {
  const inReadme = snippetsOf('README.md').filter(({ kind }) => kind === 'client');
  const shown = [...inReadme, ...snippetsOf('docs/client.md')].map(({ code }) => code);
  expect(shown.map((code) => code.replace(IMPORT, '').trimStart())).toEqual(parts());
  const imported = namesOf(readFileSync(EXAMPLES, 'utf8').match(IMPORT) ?? []);
  expect(imported).toEqual(
    expect.arrayContaining(namesOf(shown.flatMap((code) => code.match(IMPORT) ?? []))),
  );
});

describe('the examples', () => {
  const wallet = testWallet('reader');
  const logged: unknown[][] = [];
  let served: ServedMarket;
  let world: guide.World;
  beforeAll(async () => {
    served = await serveMarket({ startAt: Date.now() });
    world = {
      console: { log: (...values) => void logged.push(values) },
      baseUrl: served.url,
      privateKey: wallet.privateKey as `0x${string}`,
      provider: ethereumProvider(wallet),
      saved: new Map(),
      address: wallet.address,
    };
    Object.assign(process.env, {
      MARKET_URL: served.url,
      PRIVATE_KEY: wallet.privateKey,
      ADMIN_TOKEN,
    });
    await served.test.createMarket();
    await served.test.fund(wallet, 75);
    served.test.oracle.answer('YES');
  });
  afterAll(() => served.close());
  afterAll(() => process.removeAllListeners('SIGTERM'));

  it('name a private key that is missing', async () => {
    delete process.env['PRIVATE_KEY'];
    await expect(guide.readme(world)).rejects.toThrow(/^PRIVATE_KEY is missing/);
    process.env['PRIVATE_KEY'] = wallet.privateKey;
  });

  it('run, one after another', async () => {
    await guide.readme(world);
    expect(logged.splice(0)).toEqual([[expect.stringMatching(/^[\d.]+ shares of market 1, 90 USD left$/)]]);
    await served.test.fund(wallet, 10);
    const client = await guide.connect(world);
    expect(logged.splice(0)).toEqual([['USD to trade with:', 100]]);
    await guide.otherWallets(client, world);
    await guide.creating(client, world);
    expect(logged.splice(0)).toEqual([[2, 'will-it-rain-in-paris-on-new-year']]);
    await guide.ordering(client, world);
    expect(logged.splice(0)).toEqual([['bought', expect.any(Number), 'for', 20]]);
    await guide.surviving(client, world);
    expect([world.saved.size, (await client.account.balance()).available]).toEqual([0, 175]);
    await guide.reading(client, world);
    expect(logged.splice(0)).toHaveLength(2);
    await guide.limiting(world);
    expect(logged.splice(0)).toEqual([['GET', '/health', 200, null, null, null]]);
    await guide.paying(world);
    expect(logged.splice(0)).toEqual([[2, expect.stringMatching(/^0x/)]]);
    await guide.payingThroughClient(world);
    expect(logged.splice(0)).toEqual([['YES', expect.any(Number)]]);
    await guide.operating(world);
    expect(logged.splice(0)).toEqual([['applications:', 0]]);
    expect((await client.markets.get(1)).resolution?.outcome).toBe('YES');
    await expect(guide.payingOnce(client)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
  });
});
