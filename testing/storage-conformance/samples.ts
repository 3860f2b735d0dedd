/** Complete and plausible sample rows. A test can replace each field. */
import { walletAccount } from '../../src/domain/ledger';
import type {
  AccountId,
  Address,
  Candle,
  Challenge,
  Creator,
  Deposit,
  Market,
  NewTrade,
  Position,
  Posting,
} from '../../src/domain/types';
import type { NewFact } from '../../src/domain/events';
import type {
  IdempotencyRecord,
  MarketRecord,
  NewApiKey,
  NewPayment,
  NewWithdrawal,
  Reader,
  Storage,
} from '../../src/ports/storage';

export const NOW = 1_750_000_000_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** 2^53 + 1, the first integer that a double cannot hold. */
export const BEYOND_DOUBLE = 9_007_199_254_740_993n;
/** 2^63 - 1, the greatest signed 64-bit integer. */
export const GREATEST = 9_223_372_036_854_775_807n;

export const address = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
export const ALICE = address(0xa11ce);
export const BOB = address(0xb0b);
export const CREATOR = address(0xc4ea);
export const walletOf = (wallet: Address): AccountId => walletAccount(wallet);
export const hex = (text: string, length: number): string =>
  Buffer.from(text).toString('hex').padStart(length, '0');

export function sampleMarket(id: number, fields: Partial<Market> = {}): Market {
  return {
    id,
    slug: `market-${id}`,
    question: `Will number ${id} come up?`,
    description: null,
    resolutionCriteria: 'It comes up.',
    category: 'crypto',
    creator: CREATOR,
    status: 'open',
    createdAt: NOW + id,
    resolveDate: NOW + 24 * HOUR,
    liquidityParameter: 100_000_000n,
    sharesYes: 0n,
    sharesNo: 0n,
    pool: 0n,
    volume: 0n,
    creatorFees: 0n,
    tradeCount: 0,
    marketSeq: 0,
    lastFactAt: NOW + id,
    resolution: null,
    dueAt: null,
    awaitsOracle: false,
    leaseToken: 0,
    oracleAttempts: 0,
    ...fields,
  };
}

export const recordOf = (market: Market, creatorDisplayName: string | null = null): MarketRecord => ({
  ...market,
  creatorDisplayName,
});

/** Inserts a market with a new id, as its creation does. */
export async function addMarket(storage: Storage, fields: Partial<Market> = {}): Promise<Market> {
  return storage.transaction(async (transaction) => {
    const market = sampleMarket(await transaction.markets.nextId(), fields);
    await transaction.markets.insert(market);
    return market;
  });
}

export const volumeOf = async (reader: Reader, id: number): Promise<bigint | undefined> =>
  (await reader.markets.findByIds([id]))[0]?.volume;

export function samplePosition(marketId: number, fields: Partial<Position> = {}): Position {
  return {
    marketId,
    wallet: ALICE,
    side: 'YES',
    shares: 5_000_000n,
    costBasis: 2_600_000n,
    realizedPnl: 0n,
    feesPaid: 13_000n,
    paidOut: false,
    updatedAt: NOW,
    ...fields,
  };
}

export function sampleTrade(marketId: number, fields: Partial<NewTrade> = {}): NewTrade {
  return {
    type: 'trade',
    marketId,
    wallet: ALICE,
    side: 'YES',
    action: 'buy',
    shares: 5_000_000n,
    notional: 2_587_000n,
    fee: 13_000n,
    totalCost: 2_600_000n,
    realizedPnl: 0n,
    yesPriceAfter: 512_497,
    createdAt: NOW,
    ...fields,
  };
}

export function sampleSettlement(marketId: number, fields: Partial<NewTrade> = {}): NewTrade {
  const payout = {
    shares: 5_000_000n,
    notional: 5_000_000n,
    fee: 0n,
    totalCost: 5_000_000n,
    realizedPnl: 2_400_000n,
  };
  return sampleTrade(marketId, {
    type: 'settlement',
    action: 'sell',
    ...payout,
    yesPriceAfter: 1_000_000,
    ...fields,
  });
}

export function sampleCandle(marketId: number, fields: Partial<Candle> = {}): Candle {
  return {
    marketId,
    lengthMs: MINUTE,
    time: NOW - (NOW % MINUTE),
    open: 500_000,
    high: 520_000,
    low: 490_000,
    close: 510_000,
    volume: 1_000_000n,
    trades: 3,
    ...fields,
  };
}

export function sampleEvent(fields: Partial<NewFact> = {}): NewFact {
  return {
    marketId: null,
    marketSeq: null,
    kind: 'creator.updated',
    createdAt: NOW,
    data: { reason: null },
    ...fields,
  };
}

export function sampleChallenge(name: string, fields: Partial<Challenge> = {}): Challenge {
  return {
    nonce: hex(name, 48),
    address: ALICE,
    action: 'issue',
    keyId: null,
    format: 'text',
    message: `Prediction Market\nAction: issue\nNonce: ${hex(name, 48)}`,
    issuedAt: NOW,
    expiresAt: NOW + 5 * MINUTE,
    ...fields,
  };
}

export function sampleKey(name: string, fields: Partial<NewApiKey> = {}): NewApiKey {
  return {
    wallet: ALICE,
    hash: hex(name, 64),
    prefix: 'pmk_AbCd…',
    label: null,
    scopes: ['markets:read', 'trades:create'],
    rateLimit: 60,
    windowOf: null,
    createdAt: NOW,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  };
}

export function sampleCreator(fields: Partial<Creator> = {}): Creator {
  return {
    address: CREATOR,
    status: 'pending',
    displayName: 'Ada',
    statement: null,
    appliedAt: NOW,
    approvedAt: null,
    rejectedReason: null,
    updatedAt: NOW,
    ...fields,
  };
}

export function sampleDeposit(reference: string, fields: Partial<Deposit> = {}): Deposit {
  return {
    reference,
    wallet: ALICE,
    amount: 25_000_000n,
    balanceAfter: 0n,
    reservedAfter: 0n,
    createdAt: NOW,
    ...fields,
  };
}

/** A posting that moves money from outside into a wallet. */
export function depositPosting(reference: string, wallet: Address, amount: bigint): Posting {
  const entries: Posting['entries'] = [
    { account: 'external', amount: -amount },
    { account: walletOf(wallet), amount },
  ];
  return { kind: 'deposit', reference, createdAt: NOW, entries };
}

export function sampleRecord(key: string, fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { wallet: ALICE, key, requestHash: hex(key, 64), answer: '{"id":1}', createdAt: NOW, ...fields };
}

export function samplePayment(name: string, fields: Partial<NewPayment> = {}): NewPayment {
  return {
    asset: address(0xdc),
    payer: ALICE,
    nonce: `0x${hex(name, 64)}`,
    status: 'claimed',
    amount: 1_000n,
    operation: 'feed',
    fingerprint: hex(name, 64),
    payment: '{"form":"flat"}',
    command: '{}',
    transaction: null,
    answer: null,
    reason: null,
    createdAt: NOW,
    updatedAt: NOW,
    leaseUntil: NOW + MINUTE,
    leaseToken: 1,
    dueAt: NOW + MINUTE,
    attempts: 0,
    decision: null,
    ...fields,
  };
}

export const sampleWithdrawal = (fields: Partial<NewWithdrawal> = {}): NewWithdrawal => ({
  wallet: ALICE,
  amount: 5_000_000n,
  status: 'pending',
  payoutState: null,
  transaction: null,
  reason: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});
