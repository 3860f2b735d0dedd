/** Faults in accounts and postings. The suite puts them into correct books, one at a time. */
import type { AccountId, Entry, Posting } from '../../src/domain/types';
import type { Transaction } from '../../src/ports/storage';
import { alice } from './audit-books';
import type { PlantedFault } from './planted-fault';
import {
  ALICE,
  BOB,
  address,
  depositPosting,
  NOW,
  sampleDeposit,
  sampleWithdrawal,
  walletOf,
} from './samples';

export const MONEY_FAULTS: readonly PlantedFault[] = [
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
    name: 'a deposit that was booked to another wallet',
    plant: async (transaction) => {
      await transaction.deposits.insert(sampleDeposit('astray'));
      await book(transaction, depositPosting('deposit:astray', address(78), 25_000_000n));
    },
    subject: () => `deposit:astray ${alice}`,
    stored: '25000000',
    computed: '0',
  },
  {
    kind: 'posting',
    name: 'a deposit of the treasury that was booked to a wallet',
    plant: async (transaction) => {
      await transaction.deposits.insert(sampleDeposit('for the house', { wallet: 'treasury' }));
      await book(transaction, depositPosting('deposit:for the house', ALICE, 25_000_000n));
    },
    subject: () => 'deposit:for the house treasury',
    stored: '25000000',
    computed: '0',
  },
  {
    kind: 'posting',
    name: 'a deposit that was shared with another wallet',
    plant: async (transaction) => {
      await transaction.deposits.insert(sampleDeposit('shared'));
      await book(transaction, {
        kind: 'deposit',
        reference: 'deposit:shared',
        createdAt: NOW,
        entries: [
          { account: 'external', amount: -25_000_000n },
          { account: alice, amount: 20_000_000n },
          { account: walletOf(address(78)), amount: 5_000_000n },
        ],
      });
    },
    subject: () => `deposit:shared ${alice}`,
    stored: '25000000',
    computed: '20000000',
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
    name: 'a withdrawal that was booked from another wallet',
    plant: async (transaction) => {
      const { id } = await transaction.withdrawals.insert(
        sampleWithdrawal({ amount: 18n, status: 'confirmed' }),
      );
      await book(transaction, {
        kind: 'withdrawal',
        reference: `withdrawal:${id}`,
        createdAt: NOW,
        entries: transfer(walletOf(BOB), 'external', 18n),
      });
    },
    subject: () => ` ${alice}`,
    stored: '18',
    computed: '0',
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
];

const transfer = (from: AccountId, to: AccountId, amount: bigint): Entry[] => [
  { account: from, amount: -amount },
  { account: to, amount },
];

/** Writes a posting and changes the balances by its entries, so that balances and entries agree. */
async function book(transaction: Transaction, posting: Posting): Promise<void> {
  await transaction.postings.insert([posting]);
  const changes = posting.entries.map(({ account, amount }) => ({ id: account, balance: amount }));
  changes.sort((left, right) => (left.id < right.id ? -1 : 1));
  await transaction.accounts.apply(changes, NOW);
}
