import type { Reader, Transaction } from '../../../src/ports/storage';
import {
  apiKeyReader,
  apiKeyRepository,
  challengeRepository,
  creatorReader,
  creatorRepository,
  settingsReader,
  settingsRepository,
} from './access';
import { auditReader } from './audit';
import type { Database, Gate } from './database';
import { eventReader, eventRepository } from './events';
import {
  accountReader,
  accountRepository,
  depositRepository,
  entryReader,
  entryRepository,
  idempotencyRepository,
  leaseRepository,
} from './ledger';
import { marketReader, marketRepository } from './markets';
import { paymentReader, paymentRepository } from './payments';
import {
  candleReader,
  candleRepository,
  positionReader,
  positionRepository,
  tradeReader,
  tradeRepository,
} from './trading';
import { withdrawalReader, withdrawalRepository } from './withdrawals';

export function createReader(db: Database, gate: Gate): Reader {
  return {
    settings: settingsReader(db, gate),
    apiKeys: apiKeyReader(db, gate),
    creators: creatorReader(db, gate),
    markets: marketReader(db, gate),
    accounts: accountReader(db, gate),
    entries: entryReader(db, gate),
    positions: positionReader(db, gate),
    trades: tradeReader(db, gate),
    candles: candleReader(db, gate),
    events: eventReader(db, gate),
    payments: paymentReader(db, gate),
    withdrawals: withdrawalReader(db, gate),
    audit: auditReader(db, gate),
  };
}

/** Each repository is made when it is first asked for: most transactions want a few of the sixteen. */
export function createTransaction(db: Database, gate: Gate): Transaction {
  const made: { -readonly [Name in keyof Transaction]?: Transaction[Name] } = {};
  return {
    get settings() {
      return (made.settings ??= settingsRepository(db, gate));
    },
    get challenges() {
      return (made.challenges ??= challengeRepository(db, gate));
    },
    get apiKeys() {
      return (made.apiKeys ??= apiKeyRepository(db, gate));
    },
    get creators() {
      return (made.creators ??= creatorRepository(db, gate));
    },
    get markets() {
      return (made.markets ??= marketRepository(db, gate));
    },
    get accounts() {
      return (made.accounts ??= accountRepository(db, gate));
    },
    get entries() {
      return (made.entries ??= entryRepository(db, gate));
    },
    get positions() {
      return (made.positions ??= positionRepository(db, gate));
    },
    get trades() {
      return (made.trades ??= tradeRepository(db, gate));
    },
    get candles() {
      return (made.candles ??= candleRepository(db, gate));
    },
    get events() {
      return (made.events ??= eventRepository(db, gate));
    },
    get idempotency() {
      return (made.idempotency ??= idempotencyRepository(db, gate));
    },
    get deposits() {
      return (made.deposits ??= depositRepository(db, gate));
    },
    get leases() {
      return (made.leases ??= leaseRepository(db, gate));
    },
    get withdrawals() {
      return (made.withdrawals ??= withdrawalRepository(db, gate));
    },
    get payments() {
      return (made.payments ??= paymentRepository(db, gate));
    },
    get audit() {
      return (made.audit ??= auditReader(db, gate));
    },
  };
}
