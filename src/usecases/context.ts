/**
 * The ports, settings and callbacks of the use cases. Most use cases are functions `(context, command) =>
 * Promise<view>`.
 */
import type { Config } from '../config';
import type { PricingRule } from '../domain/pricing';
import type { Clock } from '../ports/clock';
import type { Payout } from '../ports/payout';
import type { Facilitator } from '../ports/facilitator';
import type { Logger } from '../ports/logger';
import type { Oracle } from '../ports/oracle';
import type { Random } from '../ports/random';
import type { MarketRecord, Storage } from '../ports/storage';
import type { Alarms } from './alarms';
import type { OracleAnswerCache } from './resolution/oracle-answer-cache';
import type { OracleRound } from '../domain/oracle/resolution-state';
import type { MarketReference } from './commands';

export interface MarketLookup {
  /** Rejects with MARKET_NOT_FOUND. */
  find(reference: MarketReference): Promise<MarketRecord>;
}

export interface Context {
  config: Config;
  storage: Storage;
  oracle: Oracle;
  facilitator: Facilitator;
  /** `null` when the host gave no payout adapter. Withdrawals are then refused. */
  payout: Payout | null;
  pricing: PricingRule;
  markets: MarketLookup;
  clock: Clock;
  /** `false` for some seconds after the clock has jumped. While it is `false`, `factNow` throws. */
  clockIsSteady(): boolean;
  random: Random;
  logger: Logger;
  alarms: Alarms;
  oracleAnswerCache: OracleAnswerCache;
  /** Tells the host about a round of the oracle. Throws when the host's function throws. */
  onOracleRound(round: OracleRound): void;
  /**
   * A hint, given after a commit, that new facts may wait in the outbox. `facts` is roughly their number, and
   * 1 when it is left out. Never throws.
   */
  eventsAppended(facts?: number): void;
  /**
   * Called after the commit and before the answer, when a key is not active any more. Sockets and streams of
   * this instance that use the key end. Never throws.
   */
  keyRevoked(keyId: number): void;
  /**
   * Called after the commit and before the answer, when an operator has created, changed or removed a webhook.
   * Never throws.
   */
  webhooksChanged(): void;
  /** A hint, given after a commit, that a market may be due. Never throws. */
  marketsDue(): void;
}

export interface OperatorContext extends Context {
  /** The operator's name in the operators' log. */
  operator: string;
}
