import type { Payout, PayoutProgress } from '../../src/ports/payout';
import { wallet } from '../http/support/service';
import { describeWith } from '../support/optional';
import { until } from '../support/until';
import { outside, type Outside } from '../usecases/withdrawals/world';
import { lostCommitsWorld } from './lost-commits-world';

const WITHDRAWALS = /(INSERT INTO|UPDATE) \S*withdrawals\b/;
const LEASES = /(INSERT INTO|UPDATE) \S*leases\b/;
const USD = 1_000_000n;
const LIVES: [life: string, firstProgress: PayoutProgress | null, end: string, commits: number[]][] = [
  ['is paid', null, 'confirmed', [1, 2]],
  ['fails', { status: 'failed', transaction: null, reason: 'refused by the token' }, 'failed', [1, 2]],
  ['is renewed', { status: 'renewed', state: 'renewed', transaction: null }, 'confirmed', [1, 2, 3]],
];

describeWith('postgres', 'a withdrawal, when the answer to a COMMIT is lost,', () => {
  let world: Outside;
  let progress: PayoutProgress | null;
  let outstandingAtPrepare: (readonly string[])[];
  const payout: Payout = {
    name: 'counting',
    prepare(order, others) {
      outstandingAtPrepare.push(others);
      return world.payout.prepare(order, others);
    },
    submit: (state) => world.payout.submit(state),
    async check(state) {
      const told = progress;
      if (told?.status === 'renewed') progress = null;
      if (told?.status === 'renewed') world.replace(state, told.state);
      if (told?.status === 'failed') world.replace(state, 'reverted, so that it never arrives');
      return told ?? world.payout.check(state);
    },
  };
  const { service, proxy } = lostCommitsWorld(() => ({ payout }));
  let wallets = 700;
  beforeEach(() => {
    world = outside();
    progress = null;
    outstandingAtPrepare = [];
  });

  async function funded(): Promise<string> {
    const owner = wallet((wallets += 1));
    await service().pm.deposit({ address: owner.address, amount: 100, reference: owner.address });
    return owner.address;
  }
  const request = (owner: string) =>
    service().pm.requestWithdrawal({ wallet: owner, amount: 40, idempotencyKey: 'out' });
  const viewsOf = async (owner: string) =>
    (await service().pm.listWithdrawals({ wallet: owner })).withdrawals;

  async function checkWithdrawal(owner: string, status: string): Promise<void> {
    await until(async () => {
      await service().pm.runJobs();
      return (await viewsOf(owner)).every((view) => view.status === status);
    });
    await request(owner);
    await service().pm.runJobs();
    expect(await viewsOf(owner)).toMatchObject([{ status, amount: 40 }]);
    const paid = status === 'confirmed';
    expect(world.arrived()).toBe(paid ? 40n * USD : 0n);
    expect(await service().pm.getAccount({ address: owner })).toMatchObject({
      balance: paid ? 60 : 100,
      reserved: 0,
    });
    expect(await service().pm.audit()).toMatchObject({ ok: true, differences: [] });
  }

  it('is the same one for the same key, at the COMMIT of the request', async () => {
    const owner = await funded();
    proxy().loseCommit({ number: 1, touching: WITHDRAWALS });
    await expect(request(owner)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(proxy().endFault()).toBe(true);
    await request(owner);
    await checkWithdrawal(owner, 'confirmed');
  });

  describe.each(LIVES)('that %s', (_name, told, end, commits) => {
    it.each(commits)('ends so, at COMMIT number %i', async (number) => {
      const owner = await funded();
      await request(owner);
      progress = told;
      proxy().loseCommit({ number, touching: WITHDRAWALS });
      await until(async () => {
        await service().pm.runJobs();
        return (await viewsOf(owner)).every((view) => view.status === end);
      });
      expect(proxy().endFault()).toBe(true);
      await checkWithdrawal(owner, end);
    });
  });

  it.each([1, 2, 3])('is paid once, at COMMIT number %i of a lease', async (number) => {
    const owner = await funded();
    await request(owner);
    proxy().loseCommit({ number, touching: LEASES });
    // `runJobs` rejects when the COMMIT of a lease is lost, so the loop runs the jobs again.
    await until(async () => {
      await service()
        .pm.runJobs()
        .catch(() => undefined);
      return proxy().endFault();
    });
    await checkWithdrawal(owner, 'confirmed');
  });

  it('that is sent beside another is known to the payout when the other is prepared', async () => {
    const owners = [await funded(), await funded()];
    for (const owner of owners) await request(owner);
    proxy().loseCommit({ number: 1, touching: WITHDRAWALS });
    await service().pm.runJobs();
    expect(proxy().endFault()).toBe(true);
    expect(outstandingAtPrepare).toEqual([[], [expect.stringMatching(/^payment 1 /)]]);
    await until(async () => {
      await service().pm.runJobs();
      return world.arrived() === 80n * USD;
    });
    expect(outstandingAtPrepare).toHaveLength(2);
  });
});
