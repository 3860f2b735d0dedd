import { manualOracle } from '../../adapters/oracle/manual';
import { createMarket, wallet } from '../http/support/service';
import { describeWith } from '../support/optional';
import { lostCommitsWorld } from './lost-commits-world';

const DEPOSITS = /INSERT INTO \S*deposits\b/;
const TRADES = /INSERT INTO \S*trades\b/;
const ALICE = wallet(601).address;
const BOB = wallet(602).address;
const AWAY = { code: 'SERVICE_UNAVAILABLE' };

describeWith('postgres', 'when the answer to a COMMIT is lost,', () => {
  const { service, proxy } = lostCommitsWorld(() => ({ oracle: manualOracle() }));
  let market: number;
  beforeEach(async () => {
    market = await createMarket(service(), wallet(603));
    await deposit(ALICE);
    await deposit(BOB);
  });

  const deposit = (address: string) => service().pm.deposit({ address, amount: 100, reference: address });
  const buy = (owner: string, idempotencyKey: string) =>
    service().pm.placeTrade({ wallet: owner, market, side: 'YES', amount: 10, idempotencyKey });
  const sell = (owner: string, idempotencyKey: string) =>
    service().pm.placeTrade({
      wallet: owner,
      market,
      side: 'YES',
      action: 'sell',
      shares: 'all',
      idempotencyKey,
    });

  async function repeatAfterLostCommit<T>(touching: RegExp, step: () => Promise<T>): Promise<T> {
    proxy().loseCommit({ number: 1, touching });
    await expect(step()).rejects.toMatchObject(AWAY);
    expect(proxy().endFault()).toBe(true);
    return step();
  }
  const historyOf = async (owner: string) => (await service().pm.listWalletHistory({ wallet: owner })).trades;
  const balanceOf = async (owner: string) => (await service().pm.getAccount({ address: owner })).balance;
  const expectCleanBooks = async (): Promise<void> =>
    expect(await service().pm.audit()).toMatchObject({ ok: true, differences: [] });

  it('a deposit is credited once under its reference', async () => {
    const { address } = wallet(604);
    expect(await repeatAfterLostCommit(DEPOSITS, () => deposit(address))).toMatchObject({ balance: 100 });
    expect(await balanceOf(address)).toBe(100);
    await expectCleanBooks();
  });

  it('a purchase and a sale keep one trade each under their keys', async () => {
    const bought = await repeatAfterLostCommit(TRADES, () => buy(ALICE, 'in'));
    const sold = await repeatAfterLostCommit(TRADES, () => sell(ALICE, 'out'));
    expect((await historyOf(ALICE)).map(({ id }) => id)).toEqual([sold.id, bought.id]);
    expect(await balanceOf(ALICE)).toBe(sold.balance);
    await expectCleanBooks();
  });

  it('every order of a batch is answered, and each key gets its own trade', async () => {
    const orders = [ALICE, BOB].flatMap((owner) =>
      [1, 2, 3].map((count) => ({ owner, key: `batch ${count}` })),
    );
    const place = () => Promise.allSettled(orders.map(({ owner, key }) => buy(owner, key)));
    proxy().loseCommit({ number: 1, touching: TRADES });
    for (const outcome of await place()) expect(outcome).toMatchObject({ status: 'rejected', reason: AWAY });
    expect(proxy().endFault()).toBe(true);
    expect([await historyOf(ALICE), await historyOf(BOB)].map((trades) => trades.length)).toEqual([3, 3]);
    const again = await place();
    const ids = again.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
    const stored = [...(await historyOf(ALICE)), ...(await historyOf(BOB))].map(({ id }) => id);
    expect(ids.sort((a, b) => a - b)).toEqual(stored.sort((a, b) => a - b));
    await expectCleanBooks();
  });

  it('a resolution pays once for the same outcome', async () => {
    const { shares, balance } = await buy(ALICE, 'in');
    await repeatAfterLostCommit(TRADES, () => service().pm.resolveMarket({ market, outcome: 'YES' }));
    await service().pm.runJobs();
    expect(await balanceOf(ALICE)).toBeCloseTo(balance + shares, 6);
    expect((await historyOf(ALICE)).map(({ type }) => type)).toEqual(['settlement', 'trade']);
    await expectCleanBooks();
  });
});
