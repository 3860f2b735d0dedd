import type { Reader, Transaction } from '../../../src/ports/storage';
import {
  apiKeyReader,
  apiKeyRepository,
  challengeRepository,
  creatorReader,
  creatorRepository,
  settingsReader,
  settingsRepository,
} from './keys-and-creators';
import { auditReader } from './audit';
import { consumerReader, consumerRepository } from './consumers';
import type { Database, Gate } from './database';
import { eventReader, eventRepository } from './events';
import {
  accountReader,
  accountRepository,
  depositReader,
  depositRepository,
  postingReader,
  postingRepository,
  idempotencyRepository,
  leaseRepository,
} from './ledger';
import { marketReader, marketRepository } from './markets';
import { operatorLogReader, operatorLogRepository } from './operator-log';
import { paymentReader, paymentRepository } from './payments';
import {
  candleReader,
  candleRepository,
  positionReader,
  positionRepository,
  tradeReader,
  tradeRepository,
} from './trading';
import { resolutionReader, resolutionRepository } from './resolutions';
import { webhookReader, webhookRepository } from './webhooks';
import { withdrawalReader, withdrawalRepository } from './withdrawals';

export function createReader(db: Database, gate: Gate): Reader {
  return {
    settings: settingsReader(db, gate),
    apiKeys: apiKeyReader(db, gate),
    creators: creatorReader(db, gate),
    markets: marketReader(db, gate),
    accounts: accountReader(db, gate),
    postings: postingReader(db, gate),
    positions: positionReader(db, gate),
    trades: tradeReader(db, gate),
    candles: candleReader(db, gate),
    events: eventReader(db, gate),
    consumers: consumerReader(db, gate),
    deposits: depositReader(db, gate),
    payments: paymentReader(db, gate),
    withdrawals: withdrawalReader(db, gate),
    resolutions: resolutionReader(db, gate),
    webhooks: webhookReader(db, gate),
    operatorLog: operatorLogReader(db, gate),
    audit: auditReader(db, gate),
  };
}

export function createTransaction(db: Database, gate: Gate): Transaction {
  return {
    settings: settingsRepository(db, gate),
    challenges: challengeRepository(db, gate),
    apiKeys: apiKeyRepository(db, gate),
    creators: creatorRepository(db, gate),
    markets: marketRepository(db, gate),
    accounts: accountRepository(db, gate),
    postings: postingRepository(db, gate),
    positions: positionRepository(db, gate),
    trades: tradeRepository(db, gate),
    candles: candleRepository(db, gate),
    events: eventRepository(db, gate),
    consumers: consumerRepository(db, gate),
    idempotency: idempotencyRepository(db, gate),
    deposits: depositRepository(db, gate),
    leases: leaseRepository(db, gate),
    withdrawals: withdrawalRepository(db, gate),
    resolutions: resolutionRepository(db, gate),
    webhooks: webhookRepository(db, gate),
    operatorLog: operatorLogRepository(db, gate),
    payments: paymentRepository(db, gate),
    audit: auditReader(db, gate),
  };
}
