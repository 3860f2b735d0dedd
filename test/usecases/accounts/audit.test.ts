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
    const figures = { stored: '69314718', computed: '69314719' };
    expect(found.differences).toEqual([
      { kind: 'counter', subject: 'totals:open:science exposure', ...figures },
      { kind: 'counter', subject: 'exposure', ...figures },
    ]);
  });

  it('compares the totals of markets row by row, also where the faults of two rows cancel out', async () => {
    const world = await createWorld();
    await world.open();
    const wrong = { status: 'open' as const, markets: 1, exposure: 1n };
    await world.storage.transaction((tx) =>
      tx.markets.addTotals([
        { ...wrong, category: 'sports' },
        { ...wrong, category: 'science', markets: -1, exposure: -1n },
      ]),
    );
    const { ok, differences } = await audit(world.context);
    expect(ok).toBe(false);
    expect(differences.map(({ subject, stored, computed }) => [subject, stored, computed])).toEqual([
      ['totals:open:science markets', '0', '1'],
      ['totals:open:science exposure', '69314718', '69314719'],
      ['totals:open:sports markets', '1', '0'],
      ['totals:open:sports exposure', '1', '0'],
    ]);
  });
});
