import { walletAccount } from '../../../src/domain/ledger';
import { audit } from '../../../src/usecases/accounts/audit';
import { ALICE, createWorld, USD } from '../resolution/world';

describe('the audit', () => {
  it('counts what it has checked and shows the house accounts in USD', async () => {
    const world = await createWorld();
    const id = await world.open();
    await world.fund(ALICE, 50n);
    await world.trade(id, ALICE, 'YES', 10n * USD);
    expect(await audit(world.context)).toEqual({
      ok: true,
      checked: { wallets: 2, markets: 1, positions: 1, entries: 5 },
      treasury: 0,
      external: -50,
      solvency: {
        solvent: true,
        wallets: 44.875052,
        reserved: 0,
        pools: 5.124948,
        worstLosses: 69.314719,
        surplus: 0,
        worstCase: -69.314719,
      },
      differences: [],
    });
  });

  it('finds money that no entry explains', async () => {
    const world = await createWorld();
    await world.fund(ALICE, 50n);
    await world.storage.transaction((tx) =>
      tx.accounts.apply([{ id: walletAccount(ALICE), balance: 1n }], world.clock.now()),
    );
    const found = await audit(world.context);
    expect(found.ok).toBe(false);
    expect(found.differences).toEqual([
      { kind: 'account', subject: walletAccount(ALICE), stored: '50000001', computed: '50000000' },
    ]);
  });

  it('finds an exposure that the open markets do not make up', async () => {
    const world = await createWorld();
    await world.open();
    await world.storage.transaction((tx) =>
      tx.markets.addTotals([{ status: 'open', category: 'science', markets: 0, exposure: -1n }]),
    );
    const found = await audit(world.context);
    expect(found.ok).toBe(false);
    expect(found.differences).toEqual([
      { kind: 'counter', subject: 'exposure', stored: '69314718', computed: '69314719' },
    ]);
  });
});
