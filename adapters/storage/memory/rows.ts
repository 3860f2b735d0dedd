/**
 * Stored rows and their copies. Rows are copied in and out, field by field, so that a caller cannot change a
 * stored row.
 */
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
import { tradeWithId } from '../../../src/domain/trade';
import type { ResolutionRound, ResolutionState } from '../../../src/domain/oracle/resolution-state';
import type { RoundFinding } from '../../../src/domain/oracle/rounds';
import type { Consumer, ParkedFact } from '../../../src/domain/consumers';
import type { PaymentRecord } from '../../../src/domain/payments';
import type { Webhook, WebhookDelivery } from '../../../src/domain/webhooks';
import type { Withdrawal } from '../../../src/domain/withdrawals';
import type { StoredFact } from '../../../src/domain/events';
import type { IdempotencyRecord, MarketTotal } from '../../../src/ports/storage';

/** A fact keeps its data as JSON text, as in the SQL storages. */
export type EventRow = Omit<StoredFact, 'seq' | 'data'> & { seq: number; data: string };

/** Fields with a structure of their own are kept as JSON text, as in the SQL storages. */
export type ResolutionStateRow = Omit<ResolutionState, 'history' | 'proposal'> & { details: string };
export type RoundRow = Omit<ResolutionRound, 'votes' | 'verdict'> & {
  finding: RoundFinding | null;
  details: string;
};

export type ParkedFactRow = Omit<ParkedFact, 'fact'> & { fact: string };

export interface LeaseRow {
  name: string;
  /** `null` after the lease was released. */
  owner: string | null;
  until: number;
  token: number;
}

export function copyMarket(market: Market): Market {
  return {
    id: market.id,
    slug: market.slug,
    question: market.question,
    description: market.description,
    resolutionCriteria: market.resolutionCriteria,
    category: market.category,
    creator: market.creator,
    status: market.status,
    createdAt: market.createdAt,
    resolveDate: market.resolveDate,
    liquidityParameter: market.liquidityParameter,
    sharesYes: market.sharesYes,
    sharesNo: market.sharesNo,
    pool: market.pool,
    volume: market.volume,
    creatorFees: market.creatorFees,
    tradeCount: market.tradeCount,
    marketSeq: market.marketSeq,
    lastFactAt: market.lastFactAt,
    resolution: copyResolution(market.resolution),
    dueAt: market.dueAt,
    awaitsOracle: market.awaitsOracle,
    leaseToken: market.leaseToken,
    oracleAttempts: market.oracleAttempts,
  };
}

export function copyResolution(resolution: Market['resolution']): Market['resolution'] {
  if (resolution === null) return null;
  const { outcome, resolvedAt, oracleConsensus, method, note } = resolution;
  return { outcome, resolvedAt, oracleConsensus, method, note };
}

export function copyAccount(account: Account): Account {
  const { id, balance, reserved, activityCount, openPositions, totalPositions, updatedAt } = account;
  return { id, balance, reserved, activityCount, openPositions, totalPositions, updatedAt };
}

export function emptyAccount(id: AccountId, updatedAt: number): Account {
  return { id, balance: 0n, reserved: 0n, activityCount: 0, openPositions: 0, totalPositions: 0, updatedAt };
}

export function copyPosting(posting: Posting): Posting {
  const { kind, reference, createdAt, entries } = posting;
  return { kind, reference, createdAt, entries: entries.map(({ account, amount }) => ({ account, amount })) };
}

export function copyPosition(position: Position): Position {
  const { marketId, wallet, side, shares, costBasis, realizedPnl, feesPaid, paidOut, updatedAt } = position;
  return { marketId, wallet, side, shares, costBasis, realizedPnl, feesPaid, paidOut, updatedAt };
}

export function copyTrade(trade: Trade): Trade {
  return tradeWithId(trade, trade.id);
}

export function copyCandle(candle: Candle): Candle {
  const { marketId, lengthMs, time, open, high, low, close, volume, trades } = candle;
  return { marketId, lengthMs, time, open, high, low, close, volume, trades };
}

export function copyApiKey(key: ApiKey): ApiKey {
  return {
    id: key.id,
    wallet: key.wallet,
    hash: key.hash,
    prefix: key.prefix,
    label: key.label,
    scopes: [...key.scopes],
    rateLimit: key.rateLimit,
    windowOf: key.windowOf,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    revokedAt: key.revokedAt,
  };
}

export function copyChallenge(challenge: Challenge): Challenge {
  const { nonce, address, action, keyId, format, message, issuedAt, expiresAt } = challenge;
  return { nonce, address, action, keyId, format, message, issuedAt, expiresAt };
}

export function copyCreator(creator: Creator): Creator {
  const { address, status, displayName, statement, appliedAt, approvedAt, rejectedReason, updatedAt } =
    creator;
  return { address, status, displayName, statement, appliedAt, approvedAt, rejectedReason, updatedAt };
}

export function copyDeposit(deposit: Deposit): Deposit {
  const { reference, wallet, amount, balanceAfter, reservedAfter, createdAt } = deposit;
  return { reference, wallet, amount, balanceAfter, reservedAfter, createdAt };
}

export function copyIdempotencyRecord(record: IdempotencyRecord): IdempotencyRecord {
  const { wallet, key, requestHash, answer, createdAt } = record;
  return { wallet, key, requestHash, answer, createdAt };
}

export function copyTotal(total: MarketTotal): MarketTotal {
  const { status, category, markets, exposure } = total;
  return { status, category, markets, exposure };
}

export function copyPayment(payment: PaymentRecord): PaymentRecord {
  return {
    id: payment.id,
    asset: payment.asset,
    payer: payment.payer,
    nonce: payment.nonce,
    status: payment.status,
    amount: payment.amount,
    operation: payment.operation,
    fingerprint: payment.fingerprint,
    payment: payment.payment,
    command: payment.command,
    transaction: payment.transaction,
    answer: copyAnswer(payment.answer),
    reason: payment.reason,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
    leaseUntil: payment.leaseUntil,
    leaseToken: payment.leaseToken,
    dueAt: payment.dueAt,
    attempts: payment.attempts,
    decision: payment.decision === null ? null : { ...payment.decision },
  };
}

function copyAnswer(answer: PaymentRecord['answer']): PaymentRecord['answer'] {
  return answer === null
    ? null
    : { status: answer.status, headers: { ...answer.headers }, body: answer.body };
}

export function copyWithdrawal(withdrawal: Withdrawal): Withdrawal {
  const { id, wallet, walletSeq, amount, status, payoutState, transaction, reason, createdAt, updatedAt } =
    withdrawal;
  return { id, wallet, walletSeq, amount, status, payoutState, transaction, reason, createdAt, updatedAt };
}

export function copyWebhook(webhook: Webhook): Webhook {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: [...webhook.events],
    secrets: webhook.secrets.map(({ secret, until }) => ({ secret, until })),
    status: webhook.status,
    disabledReason: webhook.disabledReason,
    seq: webhook.seq,
    failures: webhook.failures,
    failingSince: webhook.failingSince,
    nextAttemptAt: webhook.nextAttemptAt,
    lost: webhook.lost === null ? null : { from: webhook.lost.from, to: webhook.lost.to },
    revision: webhook.revision,
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
  };
}

export function copyWebhookDelivery(delivery: WebhookDelivery): WebhookDelivery {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    epoch: delivery.epoch,
    seq: delivery.seq,
    event: delivery.event,
    attempt: delivery.attempt,
    outcome: delivery.outcome,
    attemptedAt: delivery.attemptedAt,
    durationMs: delivery.durationMs,
    responseStatus: delivery.responseStatus,
    responseBody: delivery.responseBody,
    error: delivery.error,
  };
}

export function copyConsumer(consumer: Consumer): Consumer {
  const { name, epoch, seq, token, owner, ownedUntil, failures, lastError, createdAt, updatedAt } = consumer;
  return { name, epoch, seq, token, owner, ownedUntil, failures, lastError, createdAt, updatedAt };
}

export function parkedFactRow({ fact, ...row }: ParkedFact): ParkedFactRow {
  const { consumer, epoch, seq, failures, error, parkedAt, redo } = row;
  const { marketId, marketSeq, kind, createdAt, data } = fact;
  const stored = JSON.stringify({ marketId, marketSeq, kind, createdAt, data });
  return { consumer, epoch, seq, fact: stored, failures, error, parkedAt, redo };
}

export function parkedFactOf({ fact, ...row }: ParkedFactRow): ParkedFact {
  return { ...row, fact: JSON.parse(fact) as ParkedFact['fact'] };
}
