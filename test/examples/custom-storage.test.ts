import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestMarket } from 'express-prediction-market/testing';
import { fileStorage } from '../../examples/custom-storage/storage';
import '../../examples/custom-storage/storage.test';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'custom-storage-'));
  file = join(folder, 'rows');
});
afterEach(() => rm(folder, { recursive: true }));

it('a market goes on after a restart, and its books add up', async () => {
  const first = await createTestMarket({ storage: fileStorage({ file }) });
  const alice = first.wallet('alice').address;
  await first.fund(alice, 100);
  const { id } = await first.createMarket();
  await first.pm.placeTrade({ wallet: alice, market: id, side: 'YES', amount: 10 });
  const before = await first.pm.getBalance({ wallet: alice });
  await first.close();

  const second = await createTestMarket({ storage: fileStorage({ file }), seed: 2 });
  expect(await second.pm.getBalance({ wallet: alice })).toEqual(before);
  await second.pm.placeTrade({ wallet: alice, market: id, side: 'YES', shares: 'all', action: 'sell' });
  expect(await second.pm.audit()).toMatchObject({ ok: true });
  await second.close();
});

it('a line that a crash has cut off is left out', async () => {
  const first = await createTestMarket({ storage: fileStorage({ file }) });
  const alice = first.wallet('alice').address;
  await first.fund(alice, 100);
  await first.pm.deposit({ address: alice, amount: 7, reference: 'cut off' });
  await first.close();
  const lines = (await readFile(file, 'utf8')).split('\n');
  const cut = lines.findIndex((line) => line.includes('cut off'));
  await truncate(file, Buffer.byteLength(lines.slice(0, cut).join('\n')) + 20);

  const second = await createTestMarket({ storage: fileStorage({ file }), seed: 2 });
  expect(await second.pm.getBalance({ wallet: alice })).toMatchObject({ balance: 100 });
  await second.pm.deposit({ address: alice, amount: 7, reference: 'cut off' });
  await second.close();
});

it('a process whose file another one has opened confirms nothing any more', async () => {
  const first = await createTestMarket({ storage: fileStorage({ file }) });
  const alice = first.wallet('alice').address;
  await first.fund(alice, 100);
  const second = await createTestMarket({ storage: fileStorage({ file }), seed: 2 });
  const code = 'SERVICE_UNAVAILABLE';
  await expect(first.pm.deposit({ address: alice, amount: 7, reference: 'late' })).rejects.toMatchObject({
    code,
  });
  await expect(first.pm.getBalance({ wallet: alice })).rejects.toMatchObject({ code });
  expect(await second.pm.getBalance({ wallet: alice })).toMatchObject({ balance: 100 });
  await first.close();
  await second.close();
});
