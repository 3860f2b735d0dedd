/** The treasury of play money is funded once, so that a loss of the house does not delay withdrawals. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import { createApp, type Environment, type Standalone } from '../../examples/standalone';
import { bannerLines } from '../../examples/standalone/banner';

const quiet = { logDestination: { write: () => undefined } };
let folder: string;
let running: Standalone[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'play-money-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ market }) => market.close()));
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
  await standalone.market.close();
}

/** A holder of the right side wins more than the pool has. */
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
  const { address } = Wallet.createRandom();
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
  await standalone.market.deposit({ address: Wallet.createRandom().address, amount: 5, reference: 'real' });
  await stop(standalone);
  const again = await started();
  expect(await again.market.getTreasury()).toMatchObject({ balance: 0 });
});

it('is told by the banner, which asks operators of real money to fund theirs', () => {
  const bannerOf = (environment: Environment) =>
    bannerLines(create(environment).settings, 'token').join('\n');
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
