import type { Transaction } from '../../ports/storage';
import type { Suite } from './suite';
import {
  addMarket,
  ALICE,
  BOB,
  address,
  depositPosting,
  NOW,
  sampleSettlement,
  samplePosition,
  sampleTrade,
  walletOf,
} from './samples';
import type { Storage } from '../../ports/storage';

const alice = walletOf(ALICE);

/** A deposit of 100 USD and one purchase of 5 YES shares by Alice, whole and consistent. Returns the market's id. */
async function trade(storage: Storage): Promise<number> {
  const { id } = await addMarket(storage);
  await storage.transaction(async (tx) => {
    const [market] = await tx.markets.lock([id]);
    if (market === undefined) throw new Error('the market is gone');
    await tx.entries.insert([
      depositPosting('deposit:100', ALICE, 100_000_000n),
      {
        kind: 'trade',
        reference: 'trade:1',
        createdAt: NOW,
        entries: [
          { account: alice, amount: -2_600_000n },
          { account: `market:${id}`, amount: 2_587_000n },
          { account: walletOf(BOB), amount: 13_000n },
        ],
      },
    ]);
    await tx.trades.insert([sampleTrade(id)]);
    await tx.positions.save([samplePosition(id)]);
    await tx.markets.update([
      { ...market, sharesYes: 5_000_000n, pool: 2_587_000n, volume: 2_587_000n, tradeCount: 1 },
    ]);
    await tx.accounts.apply(
      [
        { id: 'external', balance: -100_000_000n },
        { id: alice, balance: 97_400_000n, activityCount: 1, openPositions: 1, totalPositions: 1 },
        { id: walletOf(BOB), balance: 13_000n },
      ],
      NOW,
    );
  });
  return id;
}

/** Resolves the market as YES: the treasury tops the pool up to what is owed; nobody has been paid yet. */
async function resolve(storage: Storage, id: number): Promise<void> {
  await storage.transaction(async (tx) => {
    const [market] = await tx.markets.lock([id]);
    if (market === undefined) throw new Error('the market is gone');
    const resolution = { outcome: 'YES', resolvedAt: NOW, oracleConsensus: 1, note: null } as const;
    await tx.markets.update([{ ...market, status: 'resolved', resolution, pool: 5_000_000n }]);
    const entries = [
      { account: 'treasury' as const, amount: -2_413_000n },
      { account: `market:${id}` as const, amount: 2_413_000n },
    ];
    await tx.entries.insert([{ kind: 'resolution', reference: `resolution:${id}`, createdAt: NOW, entries }]);
    await tx.accounts.apply([{ id: 'treasury', balance: -2_413_000n }], NOW);
  });
}

async function pay(storage: Storage, id: number): Promise<void> {
  await storage.transaction(async (tx) => {
    const [market] = await tx.markets.lock([id]);
    const [position] = await tx.positions.listUnsettled(id, 10);
    if (market === undefined || position === undefined) throw new Error('nothing to pay');
    const entries = [
      { account: `market:${id}` as const, amount: -5_000_000n },
      { account: alice, amount: 5_000_000n },
    ];
    await tx.entries.insert([
      { kind: 'settlement', reference: `settlement:${id}:alice:YES`, createdAt: NOW, entries },
    ]);
    await tx.trades.insert([sampleSettlement(id)]);
    await tx.positions.save([
      { ...position, shares: 0n, costBasis: 0n, realizedPnl: 2_400_000n, settled: true },
    ]);
    await tx.accounts.apply([{ id: alice, balance: 5_000_000n, activityCount: 1, openPositions: -1 }], NOW);
    await tx.markets.update([{ ...market, pool: 0n }]);
  });
}

const audit = (storage: Storage) => storage.snapshot((r) => r.audit.run());

export function auditTests(suite: Suite): void {
  cleanAuditTests(suite);
  plantedDifferenceTests(suite);
}

function cleanAuditTests({ describe, test }: Suite): void {
  describe('the audit of books that are right', () => {
    test('finds nothing in an empty storage', async ({ storage, check }) => {
      const checked = { wallets: 0, markets: 0, positions: 0, entries: 0 };
      check.equal(await audit(storage), { checked, treasury: 0n, external: 0n, differences: [] });
    });

    test('is clean after a trade, a resolution and its payout, and between them', async ({
      storage,
      other,
      check,
    }) => {
      const id = await trade(storage);
      const checked = { wallets: 2, markets: 1, positions: 1, entries: 5 };
      const external = -100_000_000n;
      check.equal(await audit(storage), { checked, treasury: 0n, external, differences: [] }, 'traded');
      await resolve(storage, id);
      const treasury = -2_413_000n;
      check.equal(
        await audit(storage),
        { checked: { ...checked, entries: 7 }, treasury, external, differences: [] },
        'resolved',
      );
      await pay(storage, id);
      const paid = { checked: { ...checked, entries: 9 }, treasury, external, differences: [] };
      check.equal(await audit(await other()), paid, 'paid, from the other handle');
    });
  });
}

interface Planted {
  kind: string;
  name: string;
  plant: (transaction: Transaction, marketId: number) => Promise<unknown>;
  subject: (marketId: number) => string;
  stored?: string;
  computed?: string;
}

const PLANTED: readonly Planted[] = [
  {
    kind: 'account',
    name: 'a balance without entries',
    plant: (tx) => tx.accounts.apply([{ id: alice, balance: 1n }], NOW),
    subject: () => alice,
    stored: '97400001',
    computed: '97400000',
  },
  {
    kind: 'account',
    name: 'entries that reached no account',
    plant: (tx) => tx.entries.insert([depositPosting('deposit:lost', address(77), 3n)]),
    subject: () => walletOf(address(77)),
    stored: '0',
    computed: '3',
  },
  {
    kind: 'account',
    name: 'a treasury that is off',
    plant: (tx) => tx.accounts.apply([{ id: 'treasury', balance: -5n }], NOW),
    subject: () => 'treasury',
    stored: '-5',
    computed: '0',
  },
  {
    kind: 'pool',
    name: 'a pool that its entries do not explain',
    plant: (tx, id) => changeMarket(tx, id, { pool: 2_587_001n }),
    subject: (id) => `market:${id}`,
    stored: '2587001',
    computed: '2587000',
  },
  {
    kind: 'position',
    name: 'a position that its trades do not explain',
    plant: (tx, id) => tx.positions.save([samplePosition(id, { shares: 5_000_001n })]),
    subject: () => ALICE,
    stored: '5000001',
    computed: '5000000',
  },
  {
    kind: 'position',
    name: 'a position without any trade',
    plant: (tx, id) => tx.positions.save([samplePosition(id, { wallet: address(78), shares: 4n })]),
    subject: () => address(78),
    stored: '4',
    computed: '0',
  },
  {
    kind: 'position',
    name: 'a trade that reached no position',
    plant: (tx, id) => tx.trades.insert([sampleTrade(id, { wallet: address(79), shares: 6n })]),
    subject: () => address(79),
    stored: '0',
    computed: '6',
  },
  {
    kind: 'market',
    name: 'outstanding shares that nobody holds',
    plant: (tx, id) => changeMarket(tx, id, { sharesNo: 8n }),
    subject: (id) => `${id}`,
    stored: '8',
    computed: '0',
  },
  {
    kind: 'counter',
    name: 'a market that miscounts its trades',
    plant: (tx, id) => changeMarket(tx, id, { tradeCount: 2 }),
    subject: (id) => `${id}`,
    stored: '2',
    computed: '1',
  },
  ...(['activityCount', 'openPositions', 'totalPositions'] as const).map((counter) => ({
    kind: 'counter',
    name: `a wallet whose ${counter} is off`,
    plant: (tx: Transaction) => tx.accounts.apply([{ id: alice, balance: 0n, [counter]: 2 }], NOW),
    subject: () => ALICE,
    stored: '3',
    computed: '1',
  })),
];

async function changeMarket(
  tx: Transaction,
  id: number,
  change: { pool?: bigint; sharesNo?: bigint; tradeCount?: number },
): Promise<void> {
  const [market] = await tx.markets.lock([id]);
  if (market !== undefined) await tx.markets.update([{ ...market, ...change }]);
}

function plantedDifferenceTests({ describe, test }: Suite): void {
  describe('the audit of books that are wrong', () => {
    for (const { kind, name, plant, subject, stored, computed } of PLANTED) {
      test(`finds ${name}`, async ({ storage, check }) => {
        const id = await trade(storage);
        await storage.transaction((tx) => plant(tx, id));
        const { differences } = await audit(storage);
        const found = differences.find(
          (difference) =>
            difference.kind === kind &&
            difference.subject.includes(subject(id)) &&
            difference.stored === stored,
        );
        check.equal(
          [found?.kind, found?.stored, found?.computed],
          [kind, stored, computed],
          JSON.stringify(differences),
        );
      });
    }

    test('finds a hundred differences at most', async ({ storage, check }) => {
      await storage.transaction((tx) =>
        tx.accounts.apply(
          Array.from({ length: 130 }, (_, index) => ({ id: walletOf(address(index + 1)), balance: 1n })),
          NOW,
        ),
      );
      const { differences, checked } = await audit(storage);
      check.equal([differences.length, checked.wallets], [100, 130]);
      check.equal(new Set(differences.map(({ subject }) => subject)).size, 100, 'different subjects');
    });
  });
}
