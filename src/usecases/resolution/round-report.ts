/** Reports a round to the log and to the host's `onOracleRound`, after the votes of the round were stored. */
import { isDecisive } from '../../domain/oracle/vote';
import type { ResolutionRound } from '../../domain/oracle/resolution-state';
import type { Context } from '../context';

/**
 * Never throws: an error of the host's `onOracleRound` is only logged, so that the decision on the round is
 * still carried out.
 */
export function reportRound({ logger, config, onOracleRound }: Context, stored: ResolutionRound): void {
  const { minConfidence } = config.roundRules;
  const { marketId, round, verdict, votes } = stored;
  if (verdict === null) return;
  const { finding, decision } = verdict;
  for (const { oracle, outcome, confidence, error } of votes)
    if (error === undefined && isDecisive(outcome) && confidence < minConfidence)
      logger.warn(
        { marketId, voter: oracle, outcome, confidence, minConfidence },
        'a vote is not confident enough',
      );
  logger.info({ marketId, round, finding, decision: decision.kind }, 'a round of the oracle has ended');
  try {
    onOracleRound({ marketId, round, finding, decision: decision.kind, votes });
  } catch (err) {
    logger.error({ err, marketId, round }, 'onOracleRound failed');
  }
}
