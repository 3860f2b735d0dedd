import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { createApp, type Environment, type Standalone } from '../../examples/standalone';
import { bannerLines } from '../../examples/standalone/banner';
import { SettingsError } from '../../examples/standalone/checks';
import { oneLine } from '../../examples/standalone/one-line';
import { pay, type PaymentRequired } from '../x402/support/payer';
import { randomAddress, randomWallet } from '../support/random-wallet';

const NO_BOOKS = { playMoney: null, isNew: false, hasMarkets: false };
const quiet = { logDestination: { write: () => undefined } };
let folder: string;
let running: Standalone[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'play-money-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()));
  rmSync(folder, { recursive: true });
});

const create = (environment: Environment = {}): Standalone =>
  createApp(
    {
      DATABASE_URL: `sqlite:${join(folder, 'markets.db')}`,
      ADMIN_TOKEN: 'a-token-for-tests-only',
      ...environment,
    },
    quiet,
  );
async function started(environment?: Environment): Promise<Standalone> {
  const standalone = create(environment);
  await standalone.start();
  running.push(standalone);
  return standalone;
}
async function stop(standalone: Standalone): Promise<void> {
  running = running.filter((one) => one !== standalone);
  await standalone.close();
}

async function houseLoses({ market }: Standalone, holder: string): Promise<void> {
  await market.approveCreator({ address: holder });
  await market.deposit({ address: holder, amount: 50, reference: 'stake' });
  const { id } = await market.createMarket({
    creator: holder,
    question: 'Will the house lose?',
    resolutionCriteria: 'It does.',
    resolveDate: new Date(Date.now() + 7_200_000).toISOString(),
    category: 'other',
  });
  await market.placeTrade({ market: id, wallet: holder, side: 'YES', amount: 40 });
  await market.resolveMarket({ market: id, outcome: 'YES' });
  await market.runJobs();
}

describe('the treasury of play money', () => {
  it('is put in once, over restarts, in double entry', async () => {
    const first = await started();
    expect(await first.market.getTreasury()).toMatchObject({ balance: 10_000, solvent: true });
    expect(await first.market.audit()).toMatchObject({ ok: true, treasury: 10_000, external: -10_000 });
    await stop(first);
    const second = await started();
    expect(await second.market.audit()).toMatchObject({ ok: true, treasury: 10_000, external: -10_000 });
  });

  it('lets a winner withdraw after the first loss of the house', async () => {
    const standalone = await started();
    const { address } = randomWallet();
    await houseLoses(standalone, address);
    expect((await standalone.market.getTreasury()).balance).toBeLessThan(10_000);
    const { id } = await standalone.market.requestWithdrawal({ wallet: address, amount: 60 });
    await standalone.market.runJobs();
    expect(await standalone.market.getWithdrawal({ wallet: address, id })).toMatchObject({
      status: 'confirmed',
    });
  });

  it('is not put into books that hold anything: they may be those of a real market', async () => {
    const standalone = create();
    await standalone.market.start();
    await standalone.market.deposit({ address: randomAddress(), amount: 5, reference: 'real' });
    await stop(standalone);
    const again = await started();
    expect(await again.market.getTreasury()).toMatchObject({ balance: 0 });
  });

  it('is told by the banner, which asks operators of real money to fund theirs', () => {
    const bannerOf = (environment: Environment) =>
      bannerLines(create(environment).settings, 'token', NO_BOOKS).join('\n');
    expect(bannerOf({})).toContain('10000 USD of play money');
    expect(bannerOf({})).toMatch(/Fill with sample markets.*npm run sample/s);
    expect(bannerOf({})).not.toContain('#token=');
    expect(bannerOf({ ADMIN_TOKEN: undefined })).toContain('http://localhost:3000/operators#token=token');
    const memory = bannerOf({ DATABASE_URL: 'memory:' });
    expect([memory.includes('Fill with sample'), memory.includes('npm run sample')]).toEqual([true, false]);
    const shared = bannerOf({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect([shared.includes('Fill with sample'), shared.includes('npm run sample')]).toEqual([false, true]);
    const real = bannerOf({ PAY_TO: `0x${'11'.repeat(20)}`, FACILITATOR_URL: 'https://facilitator.example' });
    expect(real).not.toMatch(/play money|npm run sample/);
    expect(real).toContain('fund it (POST /api/v2/admin/treasury/deposits)');
  });
});

describe('books of play money with real payments', () => {
  const real = { PAY_TO: `0x${'11'.repeat(20)}`, FACILITATOR_URL: 'http://127.0.0.1:1' };
  const withTreasury = {
    ...real,
    RPC_URL: 'http://127.0.0.1:1',
    TREASURY_PRIVATE_KEY: `0x${'22'.repeat(32)}`,
  };

  async function playOnce(): Promise<void> {
    await stop(await started());
  }

  it('stop a start that could pay them out, with one line that names the cure', async () => {
    await playOnce();
    const refused = create(withTreasury);
    const failure: unknown = await refused.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SettingsError);
    expect(oneLine(failure)).toMatch(
      /^DATABASE_URL: .*play money.*the treasury at the first start.*name a new database, or unset TREASURY_PRIVATE_KEY$/,
    );
    await refused.close();
    const again = await started();
    expect(await again.market.audit()).toMatchObject({ ok: true, treasury: 10_000 });
  });

  it('are warned of in the banner where withdrawals are refused', async () => {
    await playOnce();
    const { settings, books } = await started(real);
    const lines = bannerLines(settings, 'token', books).join('\n');
    expect(lines).toMatch(/WARNING {4}the database holds PLAY MONEY: the deposit "play-money:/);
  });

  it('are known by a payment of play money, when no server has funded the treasury', async () => {
    const embedded = create();
    await embedded.market.start();
    const asked = await request(embedded.app).get('/api/v2/x402/feed').expect(402);
    const payer = randomWallet();
    const headers = await pay(payer, asked.body as PaymentRequired, { now: Date.now() });
    await request(embedded.app).get('/api/v2/x402/feed').set(headers).expect(200);
    await stop(embedded);
    const refused = create(withTreasury);
    await expect(refused.start()).rejects.toThrow(/play-money payment 1/);
    await refused.close();
  });

  it('are not seen in books of real payments, and not asked for with play money', async () => {
    const { books, settings } = await started(withTreasury);
    expect(books.playMoney).toBeNull();
    expect(bannerLines(settings, 'token', books).join('\n')).not.toContain('PLAY MONEY');
    expect((await started({ DATABASE_URL: `sqlite:${join(folder, 'play.db')}` })).books.playMoney).toBeNull();
  });
});

describe('the banner', () => {
  it('says whether the database is new, and speaks of samples while it has no markets', async () => {
    const first = await started();
    const bannerOf = ({ settings, books }: Standalone) => bannerLines(settings, 'token', books).join('\n');
    expect(bannerOf(first)).toMatch(/NEW database: this start has made its tables/);
    expect(bannerOf(first)).toContain('no markets yet?');
    await houseLoses(first, randomAddress());
    await stop(first);
    const second = await started();
    expect(bannerOf(second)).not.toMatch(/NEW database|no markets yet|npm run sample/);
  });

  it('speaks of no samples in production, and none on Postgres', () => {
    const bannerOf = (environment: Environment) =>
      bannerLines(create(environment).settings, 'token', NO_BOOKS).join('\n');
    expect(bannerOf({})).toContain('no markets yet?');
    for (const environment of [{ NODE_ENV: 'production' }, { DATABASE_URL: 'postgres://127.0.0.1:1/market' }])
      expect(bannerOf(environment)).not.toMatch(/no markets yet|npm run sample/);
  });
});
