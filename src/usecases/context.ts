/** What every use case gets. A use case is a function `(context, command) => Promise<view>`. */
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
import type { PaidAnswers } from './resolution/paid-answers';
import type { OracleRound } from '../domain/oracle/resolution-state';
import type { MarketReference } from './commands';

/**
 * Finds markets by id, ticker or slug, which never overlap. Look-ups of one turn of the event loop share a
 * query. Nothing is cached.
 */
export interface MarketLookup {
  /** Rejects with MARKET_NOT_FOUND. */
  find(reference: MarketReference): Promise<MarketRecord>;
}

export interface Context {
  config: Config;
  storage: Storage;
  oracle: Oracle;
  facilitator: Facilitator;
  /** `null`: withdrawals are refused. */
  payout: Payout | null;
  pricing: PricingRule;
  markets: MarketLookup;
  clock: Clock;
  /**
   * `false` after the clock has jumped, until another look confirms or corrects the time. Facts take their
   * time from `factNow`.
   */
  clockIsSteady(): boolean;
  random: Random;
  logger: Logger;
  alarms: Alarms;
  paidAnswers: PaidAnswers;
  /** The host counts rounds and votes by it. The caller logs what it throws. */
  onOracleRound(round: OracleRound): void;
  /** A hint, after a commit, that new events wait in the outbox. Never throws. */
  eventsAppended(): void;
  /**
   * Tells, after the commit and before the answer, that a key is not active any more: sockets and streams of
   * this instance end. Other instances notice by their poll. Never throws.
   */
  keyRevoked(keyId: number): void;
  /** Tells, after the commit and before the answer, that an operator has changed a webhook. Never throws. */
  webhooksChanged(): void;
  /** A hint, after a commit, that a market may be due (closed, resolved, payouts left). Never throws. */
  marketsDue(): void;
}
