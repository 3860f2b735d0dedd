/** The selected columns and the row mappers of several tables. Money is selected as text. */
import { isAccountId } from '../../../src/domain/ledger';
import {
  CHALLENGE_ACTIONS,
  CHALLENGE_FORMATS,
  CREATOR_STATUSES,
  MARKET_STATUSES,
  OUTCOMES,
  RESOLUTION_METHODS,
  SCOPES,
  SIDES,
  TRADE_ACTIONS,
  TRADE_TYPES,
  type Account,
  type AccountId,
  type ApiKey,
  type Candle,
  type Challenge,
  type Creator,
  type Deposit,
  type Market,
  type Position,
  type Resolution,
  type Scope,
  type Trade,
} from '../../../src/domain/types';
import type { MarketRecord } from '../../../src/ports/storage';
import { choice, integer, micros, optionalInteger, optionalText, real, text, unpacked } from './row-columns';
import type { Dialect } from './dialect';
import type { Row } from './session';

const MARKET_PLAIN =
  'id slug question description resolution_criteria category creator status created_at resolve_date trade_count market_seq last_fact_at outcome resolved_at resolution_method resolution_note due_at awaits_oracle lease_token oracle_attempts';
const MARKET_EXACT = 'liquidity_parameter shares_yes shares_no pool volume creator_fees';

/** The columns of `markets m`, each named `m_…`, because statements join markets with positions and trades. */
export function marketColumns(dialect: Dialect): string {
  return dialect.packed('market', marketExpressions(dialect));
}

/** `marketColumns` and the creator's name, for a FROM that ends with `creatorJoin`. */
export function marketRecordColumns(dialect: Dialect): string {
  const expressions = { ...marketExpressions(dialect), m_creator_display_name: 'c.display_name' };
  return dialect.packed('market', expressions);
}

function marketExpressions(dialect: Dialect): Record<string, string> {
  const plain = MARKET_PLAIN.split(' ').map((name) => [`m_${name}`, `m.${name}`]);
  const exact = MARKET_EXACT.split(' ').map((name) => [`m_${name}`, dialect.exact(`m.${name}`)]);
  return {
    ...(Object.fromEntries([...plain, ...exact]) as Record<string, string>),
    m_oracle_consensus: dialect.exactReal('m.oracle_consensus'),
  };
}

export function creatorJoin(dialect: Dialect): string {
  return `LEFT JOIN ${dialect.table('creators')} c ON c.address = m.creator`;
}

export function toMarket(row: Row): Market {
  return marketOf(unpacked(row, 'market'));
}

export function toMarketRecord(row: Row): MarketRecord {
  const columns = unpacked(row, 'market');
  return { ...marketOf(columns), creatorDisplayName: optionalText(columns, 'm_creator_display_name') };
}

function marketOf(row: Row): Market {
  return {
    id: integer(row, 'm_id'),
    slug: text(row, 'm_slug'),
    question: text(row, 'm_question'),
    description: optionalText(row, 'm_description'),
    resolutionCriteria: text(row, 'm_resolution_criteria'),
    category: text(row, 'm_category'),
    creator: text(row, 'm_creator'),
    status: choice(row, 'm_status', MARKET_STATUSES),
    createdAt: integer(row, 'm_created_at'),
    resolveDate: integer(row, 'm_resolve_date'),
    liquidityParameter: micros(row, 'm_liquidity_parameter'),
    sharesYes: micros(row, 'm_shares_yes'),
    sharesNo: micros(row, 'm_shares_no'),
    pool: micros(row, 'm_pool'),
    volume: micros(row, 'm_volume'),
    creatorFees: micros(row, 'm_creator_fees'),
    tradeCount: integer(row, 'm_trade_count'),
    marketSeq: integer(row, 'm_market_seq'),
    lastFactAt: integer(row, 'm_last_fact_at'),
    resolution: toResolution(row),
    dueAt: optionalInteger(row, 'm_due_at'),
    awaitsOracle: integer(row, 'm_awaits_oracle') === 1,
    leaseToken: integer(row, 'm_lease_token'),
    oracleAttempts: integer(row, 'm_oracle_attempts'),
  };
}

function toResolution(row: Row): Resolution | null {
  if (row['m_outcome'] === null) return null;
  return {
    outcome: choice(row, 'm_outcome', OUTCOMES),
    resolvedAt: integer(row, 'm_resolved_at'),
    oracleConsensus: real(row, 'm_oracle_consensus'),
    method: choice(row, 'm_resolution_method', RESOLUTION_METHODS),
    note: optionalText(row, 'm_resolution_note'),
  };
}

export function accountColumns(dialect: Dialect): string {
  return `id, ${dialect.exact('balance')} AS balance, ${dialect.exact('reserved')} AS reserved, activity_count, open_positions, total_positions, updated_at`;
}

export function accountId(row: Row, name: string): AccountId {
  const value = text(row, name);
  if (!isAccountId(value)) throw new TypeError(`column ${name}: no account id: ${value}`);
  return value;
}

export function toAccount(row: Row): Account {
  return {
    id: accountId(row, 'id'),
    balance: micros(row, 'balance'),
    reserved: micros(row, 'reserved'),
    activityCount: integer(row, 'activity_count'),
    openPositions: integer(row, 'open_positions'),
    totalPositions: integer(row, 'total_positions'),
    updatedAt: integer(row, 'updated_at'),
  };
}

export function positionColumns(dialect: Dialect): string {
  const exact = ['shares', 'cost_basis', 'realized_pnl', 'fees_paid'];
  return `p.market_id, p.wallet, p.side, p.settled, p.updated_at, ${exact
    .map((name) => `${dialect.exact(`p.${name}`)} AS ${name}`)
    .join(', ')}`;
}

export function toPosition(row: Row): Position {
  return {
    marketId: integer(row, 'market_id'),
    wallet: text(row, 'wallet'),
    side: choice(row, 'side', SIDES),
    shares: micros(row, 'shares'),
    costBasis: micros(row, 'cost_basis'),
    realizedPnl: micros(row, 'realized_pnl'),
    feesPaid: micros(row, 'fees_paid'),
    paidOut: integer(row, 'settled') === 1,
    updatedAt: integer(row, 'updated_at'),
  };
}

export function tradeColumns(dialect: Dialect): string {
  const exact = ['shares', 'notional', 'fee', 'total_cost', 'realized_pnl'];
  return `t.id, t.type, t.market_id, t.wallet, t.side, t.action, t.yes_price_after, t.created_at, ${exact
    .map((name) => `${dialect.exact(`t.${name}`)} AS ${name}`)
    .join(', ')}`;
}

export function toTrade(row: Row): Trade {
  return {
    id: integer(row, 'id'),
    type: choice(row, 'type', TRADE_TYPES),
    marketId: integer(row, 'market_id'),
    wallet: text(row, 'wallet'),
    side: choice(row, 'side', SIDES),
    action: choice(row, 'action', TRADE_ACTIONS),
    shares: micros(row, 'shares'),
    notional: micros(row, 'notional'),
    fee: micros(row, 'fee'),
    totalCost: micros(row, 'total_cost'),
    realizedPnl: micros(row, 'realized_pnl'),
    yesPriceAfter: integer(row, 'yes_price_after'),
    createdAt: integer(row, 'created_at'),
  };
}

export function candleColumns(dialect: Dialect): string {
  return `market_id, resolution_ms, time, open, high, low, close, trades, ${dialect.exact('volume')} AS volume`;
}

export function toCandle(row: Row): Candle {
  return {
    marketId: integer(row, 'market_id'),
    lengthMs: integer(row, 'resolution_ms'),
    time: integer(row, 'time'),
    open: integer(row, 'open'),
    high: integer(row, 'high'),
    low: integer(row, 'low'),
    close: integer(row, 'close'),
    volume: micros(row, 'volume'),
    trades: integer(row, 'trades'),
  };
}

export const API_KEY_COLUMNS =
  'id, wallet, hash, prefix, label, scopes, rate_limit, window_of, created_at, last_used_at, revoked_at';

export function toApiKey(row: Row): ApiKey {
  return {
    id: integer(row, 'id'),
    wallet: text(row, 'wallet'),
    hash: text(row, 'hash'),
    prefix: text(row, 'prefix'),
    label: optionalText(row, 'label'),
    scopes: toScopes(text(row, 'scopes')),
    rateLimit: integer(row, 'rate_limit'),
    windowOf: optionalInteger(row, 'window_of'),
    createdAt: integer(row, 'created_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
    revokedAt: optionalInteger(row, 'revoked_at'),
  };
}

/** Reads scopes, which are stored as words. A scope that this version does not know is not granted. */
function toScopes(words: string): Scope[] {
  return words.split(' ').flatMap((word) => SCOPES.filter((scope) => scope === word));
}

export const CHALLENGE_COLUMNS = 'nonce, address, action, key_id, format, message, issued_at, expires_at';

export function toChallenge(row: Row): Challenge {
  return {
    nonce: text(row, 'nonce'),
    address: text(row, 'address'),
    action: choice(row, 'action', CHALLENGE_ACTIONS),
    keyId: optionalInteger(row, 'key_id'),
    format: choice(row, 'format', CHALLENGE_FORMATS),
    message: text(row, 'message'),
    issuedAt: integer(row, 'issued_at'),
    expiresAt: integer(row, 'expires_at'),
  };
}

export const CREATOR_COLUMNS =
  'address, status, display_name, statement, applied_at, approved_at, rejected_reason, updated_at';

export function toCreator(row: Row): Creator {
  return {
    address: text(row, 'address'),
    status: choice(row, 'status', CREATOR_STATUSES),
    displayName: optionalText(row, 'display_name'),
    statement: optionalText(row, 'statement'),
    appliedAt: optionalInteger(row, 'applied_at'),
    approvedAt: optionalInteger(row, 'approved_at'),
    rejectedReason: optionalText(row, 'rejected_reason'),
    updatedAt: integer(row, 'updated_at'),
  };
}

export function toDeposit(row: Row): Deposit {
  return {
    reference: text(row, 'reference'),
    wallet: text(row, 'wallet'),
    amount: micros(row, 'amount'),
    balanceAfter: micros(row, 'balance_after'),
    reservedAfter: micros(row, 'reserved_after'),
    createdAt: integer(row, 'created_at'),
  };
}
