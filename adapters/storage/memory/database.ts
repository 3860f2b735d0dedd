import type {
  Account,
  AccountId,
  ApiKey,
  Candle,
  Challenge,
  Creator,
  Deposit,
  Market,
  Position,
  Posting,
  Trade,
} from '../../../src/domain/types';
import type { HouseRisk } from '../../../src/domain/house';
import { isOpen, type Withdrawal } from '../../../src/domain/withdrawals';
import type { PaymentRecord } from '../../../src/domain/payments';
import type { IdempotencyRecord, MarketTotal } from '../../../src/ports/storage';
import {
  ALL,
  byIdDescending,
  byResolveDate,
  byTimeThenNumber,
  byTimeThenText,
  byVolumeDescending,
  candleSeries,
  compareBigints,
  compareNumbers,
  compareText,
  dueStep,
  idempotencyKey,
  marketKey,
  marketPartition,
  newestChangeFirst,
  newestMarketFirst,
  paymentKey,
  positionKey,
  riskKey,
  sideRank,
  type MarketKey,
  type TimeKey,
} from './row-keys';
import { CompressedRows } from './compressed-rows';
import { consumerTables } from './consumer-tables';
import type { EventRow, LeaseRow } from './rows';
import { operatorLogTables } from './operator-log-tables';
import { resolutionTables } from './resolution-tables';
import { OrderedIndex, Table, UndoLog, UniqueIndex } from './table';
import { TermIndex } from './term-index';
import { postingRows, tradeRows } from './text-rows';
import { webhookTables } from './webhook-tables';

/**
 * Runs one statement of a repository: at once, or as soon as no transaction writes. The gate of a transaction
 * refuses every statement after the transaction has ended.
 */
export type Gate = <T>(statement: () => T) => Promise<T>;

/**
 * Adds a repository's own functions to those of its reader. Every transaction makes all repositories, so this does
 * not use a spread, which is slower.
 */
export function addTo<Reader extends object, Repository extends Reader>(
  reader: Reader,
  rest: Omit<Repository, keyof Reader>,
): Reader & Omit<Repository, keyof Reader> {
  return Object.assign(reader, rest);
}

export * from './row-keys';

export type Database = ReturnType<typeof createDatabase>;

/**
 * All tables with their indexes. State outside of these tables would neither be rolled back nor kept by a row
 * store. With `notesRows`, the undo log also lists the changed rows for a row store.
 */
export function createDatabase({ notesRows = false } = {}) {
  const undo = new UndoLog(notesRows);
  const counters = new Table<string, { name: string; value: number }>(undo, (row) => row.name);
  return {
    undo,
    counters,
    /** The next number of a sequence, from 1. */
    nextNumber(name: string): number {
      const value = (counters.get(name)?.value ?? 0) + 1;
      counters.put({ name, value });
      return value;
    },
    settings: new Table<string, { name: string; value: string }>(undo, (row) => row.name),
    leases: new Table<string, LeaseRow>(undo, (row) => row.name),
    ...depositTables(undo),
    totals: new Table<string, MarketTotal>(undo, marketPartition),
    ...riskTables(undo),
    accounts: new Table<AccountId, Account>(undo, (row) => row.id),
    postings: new Table<string, Posting>(undo, (row) => row.reference, [], postingRows()),
    ...accessTables(undo),
    ...marketTables(undo),
    ...positionTables(undo),
    ...tradeTables(undo),
    ...historyTables(undo),
    ...paymentTables(undo),
    ...withdrawalTables(undo),
    ...resolutionTables(undo),
    ...webhookTables(undo),
    ...consumerTables(undo),
    ...operatorLogTables(undo),
  };
}

function depositTables(undo: UndoLog) {
  const depositsByWallet = new OrderedIndex<Deposit, TimeKey<string>>(
    (row) => row.wallet,
    (row) => ({ time: row.createdAt, id: row.reference }),
    byTimeThenText,
  );
  return {
    deposits: new Table<string, Deposit>(undo, (row) => row.reference, [depositsByWallet]),
    depositsByWallet,
  };
}

function accessTables(undo: UndoLog) {
  const challengesByExpiry = new OrderedIndex<Challenge, TimeKey<string>>(
    () => ALL,
    (row) => ({ time: row.expiresAt, id: row.nonce }),
    byTimeThenText,
  );
  const apiKeysByHash = new UniqueIndex<ApiKey>((row) => row.hash);
  const activeKeysByWallet = new OrderedIndex<ApiKey, number>(
    (row) => (row.revokedAt === null ? row.wallet : null),
    (row) => row.id,
    compareNumbers,
  );
  const creatorsByStatus = new OrderedIndex<Creator, TimeKey<string>>(
    (row) => row.status,
    (row) => ({ time: row.updatedAt, id: row.address }),
    newestChangeFirst,
  );
  return {
    challenges: new Table<string, Challenge>(undo, (row) => row.nonce, [challengesByExpiry]),
    challengesByExpiry,
    apiKeys: new Table<number, ApiKey>(undo, (row) => row.id, [apiKeysByHash, activeKeysByWallet]),
    apiKeysByHash,
    activeKeysByWallet,
    creators: new Table<string, Creator>(undo, (row) => row.address, [creatorsByStatus]),
    creatorsByStatus,
  };
}

function marketTables(undo: UndoLog) {
  const marketsBySlug = new UniqueIndex<Market>((row) => row.slug);
  const marketsBySort = {
    volume_desc: new OrderedIndex<Market, MarketKey>(marketPartition, marketKey, byVolumeDescending),
    created_desc: new OrderedIndex<Market, MarketKey>(marketPartition, marketKey, byIdDescending),
    resolve_asc: new OrderedIndex<Market, MarketKey>(marketPartition, marketKey, byResolveDate),
  };
  const dueMarkets = new OrderedIndex<Market, TimeKey<number>>(
    (row) => (row.dueAt === null ? null : dueStep(row)),
    (row) => ({ time: row.dueAt ?? 0, id: row.id }),
    byTimeThenNumber,
  );
  const marketsByCreator = new OrderedIndex<Market, number>(
    (row) => row.creator,
    (row) => row.id,
    compareNumbers,
  );
  const marketTerms = new TermIndex();
  const sorted = Object.values(marketsBySort);
  const indexes = [marketsBySlug, ...sorted, marketsByCreator, dueMarkets, marketTerms];
  return {
    markets: new Table<number, Market>(undo, (row) => row.id, indexes),
    marketsBySlug,
    marketsBySort,
    marketsByCreator,
    dueMarkets,
    marketTerms,
  };
}

function riskTables(undo: UndoLog) {
  const risksByCreator = new OrderedIndex<HouseRisk, bigint>(
    (row) => row.creator,
    (row) => row.liquidityParameter,
    compareBigints,
  );
  return { risks: new Table<string, HouseRisk>(undo, riskKey, [risksByCreator]), risksByCreator };
}

function positionTables(undo: UndoLog) {
  const positionsByWallet = new OrderedIndex<Position, Position>(
    (row) => `${row.wallet}|${row.shares > 0n ? 'open' : 'closed'}`,
    (row) => row,
    newestMarketFirst,
  );
  const unpaidByMarket = new OrderedIndex<Position, Position>(
    (row) => (row.shares > 0n && !row.paidOut ? row.marketId : null),
    (row) => row,
    (a, b) => compareText(a.wallet, b.wallet) || sideRank(a.side) - sideRank(b.side),
  );
  return {
    positions: new Table<string, Position>(undo, positionKey, [positionsByWallet, unpaidByMarket]),
    positionsByWallet,
    unpaidByMarket,
  };
}

function tradeTables(undo: UndoLog) {
  const id = (row: Trade): number => row.id;
  const tradesByMarket = new OrderedIndex<Trade, number>(
    (row) => (row.type === 'trade' ? row.marketId : null),
    id,
    compareNumbers,
  );
  const tradesByMarketSide = new OrderedIndex<Trade, number>(
    (row) => (row.type === 'trade' ? `${row.marketId}:${row.side}` : null),
    id,
    compareNumbers,
  );
  const tradesByWallet = new OrderedIndex<Trade, number>((row) => row.wallet, id, compareNumbers);
  const positionPayouts = new UniqueIndex<Trade>((row) =>
    row.type === 'settlement' ? positionKey(row) : null,
  );
  const indexes = [tradesByMarket, tradesByMarketSide, tradesByWallet, positionPayouts];
  return {
    trades: new Table<number, Trade>(undo, id, indexes, tradeRows()),
    tradesByMarket,
    tradesByMarketSide,
    tradesByWallet,
    positionPayouts,
  };
}

function historyTables(undo: UndoLog) {
  const candleTimes = new OrderedIndex<Candle, number>(candleSeries, (row) => row.time, compareNumbers);
  const seq = (row: EventRow): number => row.seq;
  const eventOrder = new OrderedIndex<EventRow, number>(() => ALL, seq, compareNumbers);
  const eventsByAge = new OrderedIndex<EventRow, TimeKey<number>>(
    () => ALL,
    (row) => ({ time: row.createdAt, id: row.seq }),
    byTimeThenNumber,
  );
  const idempotencyByAge = new OrderedIndex<IdempotencyRecord, TimeKey<string>>(
    () => ALL,
    (row) => ({ time: row.createdAt, id: idempotencyKey(row) }),
    byTimeThenText,
  );
  return {
    candles: new Table<string, Candle>(undo, (row) => `${candleSeries(row)}:${row.time}`, [candleTimes]),
    candleTimes,
    events: new Table<number, EventRow>(undo, seq, [eventOrder, eventsByAge], new CompressedRows()),
    eventOrder,
    eventsByAge,
    idempotency: new Table<string, IdempotencyRecord>(undo, idempotencyKey, [idempotencyByAge]),
    idempotencyByAge,
  };
}

function withdrawalTables(undo: UndoLog) {
  const id = (row: Withdrawal): number => row.id;
  const withdrawalsByWallet = new OrderedIndex<Withdrawal, number>((row) => row.wallet, id, compareNumbers);
  const whileOpen = (partitionOf: (row: Withdrawal) => string): OrderedIndex<Withdrawal, number> =>
    new OrderedIndex((row) => (isOpen(row) ? partitionOf(row) : null), id, compareNumbers);
  const open = {
    openWithdrawals: whileOpen(() => ALL),
    openWithdrawalsByStatus: whileOpen(({ status }) => status),
    openWithdrawalsByWallet: whileOpen(({ wallet }) => wallet),
  };
  const indexes = [withdrawalsByWallet, ...Object.values(open)];
  return { withdrawals: new Table<number, Withdrawal>(undo, id, indexes), withdrawalsByWallet, ...open };
}

function paymentTables(undo: UndoLog) {
  const paymentsByKey = new UniqueIndex<PaymentRecord>(paymentKey);
  const paymentsByStatus = new OrderedIndex<PaymentRecord, number>(
    (row) => row.status,
    (row) => row.id,
    compareNumbers,
  );
  const duePayments = new OrderedIndex<PaymentRecord, TimeKey<number>>(
    (row) => (row.dueAt === null ? null : ALL),
    (row) => ({ time: row.dueAt ?? 0, id: row.id }),
    byTimeThenNumber,
  );
  const rejectedPayments = new OrderedIndex<PaymentRecord, TimeKey<number>>(
    (row) => (row.status === 'rejected' && row.decision === null ? ALL : null),
    (row) => ({ time: row.updatedAt, id: row.id }),
    byTimeThenNumber,
  );
  const indexes = [paymentsByKey, paymentsByStatus, duePayments, rejectedPayments];
  return {
    payments: new Table<number, PaymentRecord>(undo, (row) => row.id, indexes),
    paymentsByKey,
    paymentsByStatus,
    duePayments,
    rejectedPayments,
  };
}
