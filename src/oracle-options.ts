/** The options about the oracle and its rounds, with their defaults. docs/resolution.md explains them. */
import { usdToMicros } from './domain/money';
import {
  type Checks,
  callback,
  integerBetween,
  nested,
  numberBetween,
  optional,
  usdBetween,
  withoutUndefined,
} from './domain/options';
import type { OracleRound } from './domain/oracle/resolution-state';
import { DEFAULT_ROUND_RULES, type RoundRules } from './domain/oracle/rounds';
import { VOTE_LIMITS } from './domain/oracle/vote';

export interface OracleOptions {
  /** A `YES` or `NO` with less confidence (0 to 1) decides nothing. Default 0.8. */
  minConfidence?: number | undefined;
  /**
   * The rules by which a round of judges decides. Default `DEFAULT_ROUND_RULES`. `minConfidence` in these rules
   * replaces the option `minConfidence`.
   */
  oracleRules?: Partial<RoundRules> | undefined;
  /** How long the oracle may take for its answer, in milliseconds. Default 90,000. */
  oracleTimeoutMs?: number | undefined;
  /**
   * The unit of the pause between rounds, in milliseconds. The pause is about two units after the first round and
   * doubles with each round, up to about 120 units. Default 60,000.
   */
  resolutionIntervalMs?: number | undefined;
  /**
   * For how long an outcome is only proposed, in milliseconds. Operators can decide otherwise during this time.
   * Default 0; two hours are recommended.
   */
  challengePeriodMs?: number | undefined;
  /**
   * The budget of rounds in any hour, over all instances. No round begins while the budget is spent. Running rounds
   * may exceed it. Default: no limit.
   */
  oracleBudget?:
    | {
        /** The most USD that the votes of an hour may cost, as the voters state it. */
        usdPerHour?: number | undefined;
        /** The most calls in an hour. A call is one question to one voter. */
        callsPerHour?: number | undefined;
      }
    | undefined;
  /** How many rounds of the oracle one instance runs at the same time. Default 16. */
  roundsInFlight?: number | undefined;
  /** Called with each round that this instance has stored, for metrics. An error that it throws is logged. */
  onOracleRound?: ((round: OracleRound) => void) | undefined;
}

export interface OracleConfig {
  roundRules: RoundRules;
  oracleTimeoutMs: number;
  resolutionIntervalMs: number;
  challengePeriodMs: number;
  /** The limits in any hour. `null`: no limit. */
  oracleBudget: { calls: number | null; costMicros: bigint | null };
  roundsInFlight: number;
}

const DAY_MS = 86_400_000;
export const ORACLE_CHECKS: Checks<OracleOptions> = {
  minConfidence: optional(numberBetween(0, 1)),
  oracleRules: optional(
    nested<Partial<RoundRules>>({
      // An answer with more votes is refused, so more voters cannot be required.
      minVoters: optional(integerBetween(1, VOTE_LIMITS.votes)),
      minConfidence: optional(numberBetween(0, 1)),
      minProbability: optional(numberBetween(0.5, 1)),
      fullRounds: optional(integerBetween(0, 1_000)),
      maxDisagreements: optional(integerBetween(1, 1_000)),
    }),
  ),
  oracleTimeoutMs: optional(integerBetween(100, 600_000)),
  resolutionIntervalMs: optional(integerBetween(10, DAY_MS)),
  challengePeriodMs: optional(integerBetween(0, 30 * DAY_MS)),
  oracleBudget: optional(
    nested({
      usdPerHour: optional(usdBetween(0.000001, 1_000_000)),
      callsPerHour: optional(integerBetween(1, 1_000_000)),
    }),
  ),
  roundsInFlight: optional(integerBetween(1, 1_000)),
  onOracleRound: optional(callback),
};

export function oracleConfig(options: OracleOptions): OracleConfig {
  const { minConfidence, oracleRules, oracleBudget = {} } = options;
  const { usdPerHour, callsPerHour } = oracleBudget;
  return {
    roundRules: {
      ...DEFAULT_ROUND_RULES,
      ...withoutUndefined({ minConfidence }),
      ...withoutUndefined(oracleRules ?? {}),
    },
    oracleTimeoutMs: options.oracleTimeoutMs ?? 90_000,
    resolutionIntervalMs: options.resolutionIntervalMs ?? 60_000,
    challengePeriodMs: options.challengePeriodMs ?? 0,
    oracleBudget: {
      calls: callsPerHour ?? null,
      costMicros: usdPerHour === undefined ? null : usdToMicros(usdPerHour),
    },
    roundsInFlight: options.roundsInFlight ?? 16,
  };
}
