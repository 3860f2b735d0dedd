import type { Transaction } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import type { Session } from '../session';
import { accountRepository } from './accounts';
import { apiKeyRepository } from './api-keys';
import { auditReader } from './audit';
import { candleRepository } from './candles';
import { challengeRepository } from './challenges';
import { consumerRepository } from './consumers';
import { creatorRepository } from './creators';
import { depositRepository } from './deposits';
import { postingRepository } from './postings';
import { eventRepository } from './events';
import { idempotencyRepository } from './idempotency';
import { leaseRepository } from './leases';
import { marketRepository, type SqlMarketRepository } from './markets';
import { operatorLogRepository } from './operator-log';
import { paymentRepository } from './payments';
import { positionRepository } from './positions';
import { resolutionRepository } from './resolutions';
import { settingsRepository } from './settings';
import { tradeRepository } from './trades';
import { webhookRepository } from './webhooks';
import { withdrawalRepository } from './withdrawals';

export interface SqlTransaction extends Transaction {
  markets: SqlMarketRepository;
}

/** Builds the repositories of a dialect once. The returned function binds them to a session. */
export function sqlRepositories(dialect: Dialect): (session: Session) => SqlTransaction {
  const make = {
    settings: settingsRepository(dialect),
    challenges: challengeRepository(dialect),
    apiKeys: apiKeyRepository(dialect),
    creators: creatorRepository(dialect),
    markets: marketRepository(dialect),
    accounts: accountRepository(dialect),
    postings: postingRepository(dialect),
    positions: positionRepository(dialect),
    trades: tradeRepository(dialect),
    candles: candleRepository(dialect),
    events: eventRepository(dialect),
    consumers: consumerRepository(dialect),
    idempotency: idempotencyRepository(dialect),
    deposits: depositRepository(dialect),
    leases: leaseRepository(dialect),
    payments: paymentRepository(dialect),
    withdrawals: withdrawalRepository(dialect),
    resolutions: resolutionRepository(dialect),
    webhooks: webhookRepository(dialect),
    operatorLog: operatorLogRepository(dialect),
    audit: auditReader(dialect),
  };
  return (session) => ({
    settings: make.settings(session),
    challenges: make.challenges(session),
    apiKeys: make.apiKeys(session),
    creators: make.creators(session),
    markets: make.markets(session),
    accounts: make.accounts(session),
    postings: make.postings(session),
    positions: make.positions(session),
    trades: make.trades(session),
    candles: make.candles(session),
    events: make.events(session),
    consumers: make.consumers(session),
    idempotency: make.idempotency(session),
    deposits: make.deposits(session),
    leases: make.leases(session),
    payments: make.payments(session),
    withdrawals: make.withdrawals(session),
    resolutions: make.resolutions(session),
    webhooks: make.webhooks(session),
    operatorLog: make.operatorLog(session),
    audit: make.audit(session),
  });
}
