import { depositPosting, walletAccount } from '../../../src/domain/ledger';
import { audit } from '../../../src/usecases/accounts/audit';
import { deposit } from '../../../src/usecases/accounts/deposit';
import { BOB } from '../resolution/world';
import { ALICE, USD, withdrawalWorld } from '../withdrawals/world';

describe('a deposit that is repeated', () => {
  it('answers byte for byte as the first time, after the wallet has reserved and paid money too', async () => {
    const world = await withdrawalWorld();
    await world.request(30n * USD);
    const command = { address: ALICE, amount: 25n * USD, reference: 'wire 7' };
    const first = await deposit(world.withPayout, command);
    expect(first).toMatchObject({ balance: 125, reserved: 30, available: 95, amount: 25 });
    await world.request(10n * USD);
    expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 40n * USD });
    const repeat = async (): Promise<string> => JSON.stringify(await deposit(world.withPayout, command));
    expect(await repeat()).toBe(JSON.stringify(first));
    await world.process();
    expect(await world.account()).toEqual({ balance: 85n * USD, reserved: 0n });
    expect(await repeat()).toBe(JSON.stringify(first));
  });

  it('is credited, once, where its row stands without a posting: the row alone has moved no money', async () => {
    const world = await withdrawalWorld();
    const command = { address: ALICE, amount: 25n * USD, reference: 'wire 7' };
    const row = { reference: 'wire 7', wallet: ALICE, amount: 25n * USD, createdAt: 1 };
    await world.withPayout.storage.transaction((tx) =>
      tx.deposits.insert({ ...row, balanceAfter: 0n, reservedAfter: 0n }),
    );
    expect((await audit(world.withPayout)).differences).toEqual([
      { kind: 'posting', subject: 'deposit:wire 7', stored: '25000000', computed: '0' },
    ]);
    const answers = await Promise.all([1, 2, 3].map(() => deposit(world.withPayout, command)));
    expect(answers.map(({ balance }) => balance)).toEqual([125, 125, 125]);
    expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 0n });
    expect((await audit(world.withPayout)).ok).toBe(true);
  });

  describe('whose posting stands without its row', () => {
    const lost = { wallet: ALICE, amount: 25n * USD, reference: 'wire 7', createdAt: 1 };

    async function worldWithoutRow() {
      const world = await withdrawalWorld();
      await world.withPayout.storage.transaction(async (tx) => {
        await tx.postings.insert([depositPosting(lost)]);
        const changes = [
          { id: 'external' as const, balance: -lost.amount },
          { id: walletAccount(ALICE), balance: lost.amount },
        ];
        await tx.accounts.apply(changes, 1);
      });
      expect((await audit(world.withPayout)).differences).toContainEqual({
        ...{ kind: 'posting', subject: 'deposit:wire 7' },
        ...{ stored: '0', computed: '25000000' },
      });
      return world;
    }

    it('gets its row back, and is not credited again', async () => {
      const world = await worldWithoutRow();
      const command = { address: ALICE, amount: lost.amount, reference: 'wire 7' };
      const answers = await Promise.all([1, 2, 3].map(() => deposit(world.withPayout, command)));
      expect(answers.map(({ balance }) => balance)).toEqual([125, 125, 125]);
      expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 0n });
      const differences = (await audit(world.withPayout)).differences.map(({ subject }) => subject);
      expect(differences).not.toContain('deposit:wire 7');
    });

    it('leaves one row in the operators’ log, which says that only the record was written', async () => {
      const world = await worldWithoutRow();
      const command = { address: ALICE, amount: lost.amount, reference: 'wire 7' };
      await Promise.all([1, 2, 3].map(() => deposit(world.withPayout, command)));
      const acts = await world.withPayout.storage.read((reader) =>
        reader.operatorLog.list({ limit: 10, offset: 0 }),
      );
      const ofWire = acts.filter(({ details }) => details['reference'] === 'wire 7');
      expect(ofWire.map(({ action, details }) => ({ action, details }))).toEqual([
        { action: 'account.deposit', details: { amount: 25, reference: 'wire 7', credited: 0 } },
      ]);
    });

    it.each([
      ['another amount', { address: ALICE, amount: 24n * USD, reference: 'wire 7' }],
      ['another wallet', { address: BOB, amount: lost.amount, reference: 'wire 7' }],
    ])('is refused with %s', async (_name, command) => {
      const world = await worldWithoutRow();
      await expect(deposit(world.withPayout, command)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      });
      expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 0n });
    });
  });

  it('is refused when its amount is another', async () => {
    const world = await withdrawalWorld();
    const command = { address: ALICE, amount: 25n * USD, reference: 'wire 7' };
    await deposit(world.withPayout, command);
    await expect(deposit(world.withPayout, { ...command, amount: 24n * USD })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 0n });
  });
});
