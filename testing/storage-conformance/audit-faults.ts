/** Faults that the suite puts into correct books, one at a time. */
import { candlesOfTrade } from '../../src/domain/candles';
import type { AccountId, Entry, Posting } from '../../src/domain/types';
import type { Transaction } from '../../src/ports/storage';
import { alice } from './audit-books';
import {
  ALICE,
  address,
  CREATOR,
  depositPosting,
  HOUR,
  NOW,
  sampleCandle,
  sampleDeposit,
  sampleMarket,
  samplePosition,
  sampleTrade,
  sampleWithdrawal,
  walletOf,
} from './samples';

/** A fault in books that were correct, and the difference that the audit has to report. */
export interface PlantedFault {
  kind: string;
  name: string;
  plant: (transaction: Transaction, marketId: number) => Promise<unknown>;
  subject: (marketId: number) => string;
  stored?: string;
  computed?: string;
}

const floorTo = (time: number, lengthMs: number): number => time - (time % lengthMs);
const NO_RISK = { creator: CREATOR, liquidityParameter: 100_000_000n, unresolved: 0, lost: 0n };
const RISK_SUBJECT = `house:${CREATOR}:100000000`;

export const PLANTED_FAULTS: readonly PlantedFault[] = [
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
    plant: (transaction) => transaction.postings.insert([depositPosting('deposit:lost', address(77), 3n)]),
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
      await transaction.postings.insert([depositPosting('deposit:short', ALICE, 24_000_000n)]);
    },
    subject: () => 'deposit:short',
    stored: '25000000',
    computed: '24000000',
  },
  {
    kind: 'posting',
    name: 'a booked deposit whose record is gone',
    plant: (transaction) => book(transaction, depositPosting('deposit:gone', ALICE, 15n)),
    subject: () => 'deposit:gone',
    stored: '0',
    computed: '15',
  },
  {
    kind: 'posting',
    name: 'a booked deposit of the treasury whose record is gone',
    plant: (transaction) =>
      book(transaction, {
        kind: 'deposit',
        reference: 'deposit:gone too',
        createdAt: NOW,
        entries: transfer('external', 'treasury', 16n),
      }),
    subject: () => 'deposit:gone too',
    stored: '0',
    computed: '16',
  },
  {
    kind: 'posting',
    name: 'a booked withdrawal whose record is gone',
    plant: (transaction) =>
      book(transaction, {
        kind: 'withdrawal',
        reference: 'withdrawal:987654',
        createdAt: NOW,
        entries: transfer(alice, 'external', 17n),
      }),
    subject: () => 'withdrawal:987654',
    stored: '0',
    computed: '17',
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
      await transaction.postings.insert([
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
    name: 'outstanding shares that no position has',
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
    kind: 'counter',
    name: 'a market whose creator fees no trade has paid',
    plant: (transaction, id) => changeMarket(transaction, id, { creatorFees: 13_006n }),
    subject: (id) => `market:${id} creatorFees`,
    stored: '13006',
    computed: '13000',
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
  {
    kind: 'house',
    name: 'a risk of the house without a market',
    plant: (transaction) => transaction.markets.addRisk({ ...NO_RISK, unresolved: 1 }),
    subject: () => `${RISK_SUBJECT} unresolved`,
    stored: '2',
    computed: '1',
  },
  {
    kind: 'house',
    name: 'a market that no risk of the house counts',
    plant: async (transaction) => {
      const id = await transaction.markets.nextId();
      await transaction.markets.insert(sampleMarket(id, { liquidityParameter: 7n }));
    },
    subject: () => `house:${CREATOR}:7 unresolved`,
    stored: '0',
    computed: '1',
  },
  {
    kind: 'house',
    name: 'a loss of the house without a resolution',
    plant: (transaction) => transaction.markets.addRisk({ ...NO_RISK, lost: 5n }),
    subject: () => `${RISK_SUBJECT} lost`,
    stored: '5',
    computed: '0',
  },
  {
    kind: 'house',
    name: 'a resolution whose cost no risk of the house counts',
    plant: (transaction, id) =>
      transaction.postings.insert([
        {
          kind: 'resolution',
          reference: `resolution:${id}`,
          createdAt: NOW,
          entries: [
            { account: 'treasury', amount: -4n },
            { account: `market:${id}`, amount: 4n },
          ],
        },
      ]),
    subject: () => `${RISK_SUBJECT} lost`,
    stored: '0',
    computed: '4',
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

const transfer = (from: AccountId, to: AccountId, amount: bigint): Entry[] => [
  { account: from, amount: -amount },
  { account: to, amount },
];

/** Writes a posting and changes the balances by its entries, so that only the record of its cause is missing. */
async function book(transaction: Transaction, posting: Posting): Promise<void> {
  await transaction.postings.insert([posting]);
  const changes = posting.entries.map(({ account, amount }) => ({ id: account, balance: amount }));
  changes.sort((left, right) => (left.id < right.id ? -1 : 1));
  await transaction.accounts.apply(changes, NOW);
}

async function changeMarket(
  transaction: Transaction,
  id: number,
  change: { pool?: bigint; sharesNo?: bigint; creatorFees?: bigint; tradeCount?: number },
): Promise<void> {
  const [market] = await transaction.markets.lock([id]);
  if (market !== undefined) await transaction.markets.update([{ ...market, ...change }]);
}
