import { candlesOfTrade } from '../../src/domain/candles';
import type { Storage, Transaction } from '../../src/ports/storage';
import { alice, endWithdrawal, pay, resolve, trade, withdraw } from './audit-books';
import type { Suite } from './suite';
import {
  ALICE,
  address,
  depositPosting,
  HOUR,
  NOW,
  sampleCandle,
  sampleDeposit,
  samplePosition,
  sampleTrade,
  sampleWithdrawal,
  walletOf,
} from './samples';

const floorTo = (time: number, lengthMs: number): number => time - (time % lengthMs);
const audit = (storage: Storage) => storage.snapshot((r) => r.audit.run());

export function auditTests(suite: Suite): void {
  cleanAuditTests(suite);
  plantedDifferenceTests(suite);
}

function cleanAuditTests({ describe, test }: Suite): void {
  describe('the audit of books that are right', () => {
    test('finds nothing in an empty storage', 'audit', async ({ storage, check }) => {
      const checked = { wallets: 0, markets: 0, positions: 0, entries: 0 };
      check.equal(await audit(storage), { checked, treasury: 0n, external: 0n, differences: [] });
    });

    test(
      'is clean after a trade, a resolution and its payout, and between them',
      'audit',
      async ({ storage, other, check }) => {
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
      },
    );

    test(
      'is clean while withdrawals are reserved, sent, paid and given back',
      'audit',
      async ({ storage, check }) => {
        await trade(storage);
        const differences = async () => (await audit(storage)).differences;
        const first = await withdraw(storage, 7_000_000n);
        const second = await withdraw(storage, 2_000_000n);
        check.equal(await differences(), [], 'reserved');
        await storage.transaction((transaction) =>
          transaction.withdrawals.update({ ...first, status: 'sent' }),
        );
        check.equal(await differences(), [], 'sent');
        await endWithdrawal(storage, first, 'confirmed');
        check.equal(await differences(), [], 'paid');
        await endWithdrawal(storage, second, 'failed');
        check.equal(await differences(), [], 'given back');
        const account = await storage.read((r) => r.accounts.find(alice));
        check.equal([account?.balance, account?.reserved], [90_400_000n, 0n], 'what is left');
      },
    );
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
    plant: (transaction) => transaction.accounts.apply([{ id: alice, balance: 1n }], NOW),
    subject: () => alice,
    stored: '97400001',
    computed: '97400000',
  },
  {
    kind: 'account',
    name: 'entries that reached no account',
    plant: (transaction) => transaction.entries.insert([depositPosting('deposit:lost', address(77), 3n)]),
    subject: () => walletOf(address(77)),
    stored: '0',
    computed: '3',
  },
  {
    kind: 'account',
    name: 'a treasury that is off',
    plant: (transaction) => transaction.accounts.apply([{ id: 'treasury', balance: -5n }], NOW),
    subject: () => 'treasury',
    stored: '-5',
    computed: '0',
  },
  {
    kind: 'account',
    name: 'a reservation without a withdrawal',
    plant: (transaction) => transaction.accounts.apply([{ id: alice, balance: 0n, reserved: 9n }], NOW),
    subject: () => `${alice} reserved`,
    stored: '9',
    computed: '0',
  },
  {
    kind: 'account',
    name: 'an open withdrawal that reserves nothing',
    plant: (transaction) =>
      transaction.withdrawals.insert(sampleWithdrawal({ wallet: address(80), amount: 11n })),
    subject: () => `${walletOf(address(80))} reserved`,
    stored: '0',
    computed: '11',
  },
  {
    kind: 'account',
    name: 'a reservation that outlives its withdrawal',
    plant: async (transaction) => {
      await transaction.accounts.apply([{ id: alice, balance: 0n, reserved: 12n }], NOW);
      await transaction.withdrawals.insert(sampleWithdrawal({ amount: 12n, status: 'failed' }));
    },
    subject: () => `${alice} reserved`,
    stored: '12',
    computed: '0',
  },
  {
    kind: 'posting',
    name: 'a deposit that was never booked',
    plant: (transaction) => transaction.deposits.insert(sampleDeposit('unbooked')),
    subject: () => 'deposit:unbooked',
    stored: '25000000',
    computed: '0',
  },
  {
    kind: 'posting',
    name: 'a deposit that was booked with another amount',
    plant: async (transaction) => {
      await transaction.deposits.insert(sampleDeposit('short'));
      await transaction.entries.insert([depositPosting('deposit:short', ALICE, 24_000_000n)]);
    },
    subject: () => 'deposit:short',
    stored: '25000000',
    computed: '24000000',
  },
  {
    kind: 'posting',
    name: 'a confirmed withdrawal that was never booked',
    plant: (transaction) =>
      transaction.withdrawals.insert(sampleWithdrawal({ amount: 13n, status: 'confirmed' })),
    subject: () => 'withdrawal:',
    stored: '13',
    computed: '0',
  },
  {
    kind: 'posting',
    name: 'a withdrawal that was booked and is not confirmed',
    plant: async (transaction) => {
      const { id } = await transaction.withdrawals.insert(
        sampleWithdrawal({ amount: 14n, status: 'failed' }),
      );
      const entries = [
        { account: alice, amount: -14n },
        { account: 'external' as const, amount: 14n },
      ];
      await transaction.entries.insert([
        { kind: 'withdrawal', reference: `withdrawal:${id}`, createdAt: NOW, entries },
      ]);
    },
    subject: () => 'withdrawal:',
    stored: '0',
    computed: '14',
  },
  {
    kind: 'pool',
    name: 'a pool that its entries do not explain',
    plant: (transaction, id) => changeMarket(transaction, id, { pool: 2_587_001n }),
    subject: (id) => `market:${id}`,
    stored: '2587001',
    computed: '2587000',
  },
  {
    kind: 'position',
    name: 'a position that its trades do not explain',
    plant: (transaction, id) => transaction.positions.save([samplePosition(id, { shares: 5_000_001n })]),
    subject: () => ALICE,
    stored: '5000001',
    computed: '5000000',
  },
  {
    kind: 'position',
    name: 'a position without any trade',
    plant: (transaction, id) =>
      transaction.positions.save([samplePosition(id, { wallet: address(78), shares: 4n })]),
    subject: () => address(78),
    stored: '4',
    computed: '0',
  },
  {
    kind: 'position',
    name: 'a trade that reached no position',
    plant: (transaction, id) =>
      transaction.trades.insert([sampleTrade(id, { wallet: address(79), shares: 6n })]),
    subject: () => address(79),
    stored: '0',
    computed: '6',
  },
  {
    kind: 'market',
    name: 'outstanding shares that nobody holds',
    plant: (transaction, id) => changeMarket(transaction, id, { sharesNo: 8n }),
    subject: (id) => `${id}`,
    stored: '8',
    computed: '0',
  },
  {
    kind: 'counter',
    name: 'a market that miscounts its trades',
    plant: (transaction, id) => changeMarket(transaction, id, { tradeCount: 2 }),
    subject: (id) => `${id}`,
    stored: '2',
    computed: '1',
  },
  {
    kind: 'candle',
    name: 'a candle with a volume that was not traded',
    plant: (transaction, id) =>
      transaction.candles.merge([
        sampleCandle(id, { volume: 1n, trades: 0, close: sampleTrade(id).yesPriceAfter }),
      ]),
    subject: (id) => `market:${id} candle 60000 ${sampleCandle(id).time} volume`,
    stored: '2587001',
    computed: '2587000',
  },
  {
    kind: 'candle',
    name: 'a trade that reached no candle',
    plant: (transaction, id) =>
      transaction.trades.insert([sampleTrade(id, { createdAt: NOW - 2 * HOUR, notional: 6n })]),
    subject: (id) => `market:${id} candle 3600000 ${floorTo(NOW - 2 * HOUR, HOUR)} volume`,
    stored: '0',
    computed: '6',
  },
  {
    kind: 'candle',
    name: 'a newest candle that does not close at the price of the newest trade',
    plant: async (transaction, id) => {
      const late = sampleTrade(id, { createdAt: NOW - 2 * HOUR, yesPriceAfter: 499_999 });
      await transaction.trades.insert([late]);
      await transaction.candles.merge(candlesOfTrade(late, sampleTrade(id).yesPriceAfter));
    },
    subject: (id) => `market:${id} candle 60000 newest`,
    stored: '512497',
    computed: '499999',
  },
  ...(['activityCount', 'openPositions', 'totalPositions'] as const).map((counter) => ({
    kind: 'counter',
    name: `a wallet whose ${counter} is off`,
    plant: (transaction: Transaction) =>
      transaction.accounts.apply([{ id: alice, balance: 0n, [counter]: 2 }], NOW),
    subject: () => ALICE,
    stored: '3',
    computed: '1',
  })),
];

async function changeMarket(
  transaction: Transaction,
  id: number,
  change: { pool?: bigint; sharesNo?: bigint; tradeCount?: number },
): Promise<void> {
  const [market] = await transaction.markets.lock([id]);
  if (market !== undefined) await transaction.markets.update([{ ...market, ...change }]);
}

function plantedDifferenceTests({ describe, test }: Suite): void {
  describe('the audit of books that are wrong', () => {
    for (const { kind, name, plant, subject, stored, computed } of PLANTED) {
      test(`finds ${name}`, 'audit', async ({ storage, check }) => {
        const id = await trade(storage);
        await storage.transaction((transaction) => plant(transaction, id));
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

    test('finds a hundred differences at most', 'auditLimit', async ({ storage, check }) => {
      await storage.transaction((transaction) =>
        transaction.accounts.apply(
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
