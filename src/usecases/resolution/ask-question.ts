import { PredictionMarketError } from '../../domain/errors';
import { isValid } from '../../domain/oracle/vote';
import type { OracleQuestion } from '../../ports/oracle';
import { oracleAnswerView, type OracleAnswerView } from '../../views/oracle';
import { askOracle, questionOf } from './ask-oracle';
import type { AskQuestionCommand } from '../commands';
import type { Context } from '../context';
import { ORACLE_TIME_LIMIT_MS } from './run-due-markets';

/** What the oracle says of a market's question, or of any other. MARKET_NOT_FOUND, ORACLE_UNAVAILABLE. */
export async function askQuestion(context: Context, command: AskQuestionCommand): Promise<OracleAnswerView> {
  const question = await questionFor(context, command);
  const answer = await askOracle(context, question, AbortSignal.timeout(ORACLE_TIME_LIMIT_MS));
  if (isValid(answer.own)) return oracleAnswerView(question, answer);
  throw new PredictionMarketError('ORACLE_UNAVAILABLE', 'The oracle did not answer. Try again later.', {
    retryAfterSeconds: 5,
    cause: new Error(answer.own.error),
  });
}

export async function questionFor(context: Context, command: AskQuestionCommand): Promise<OracleQuestion> {
  const now = context.clock.now();
  if (command.marketId !== null) {
    return questionOf(await context.markets.find(String(command.marketId)), now);
  }
  return {
    question: command.question ?? '',
    resolutionCriteria: command.resolutionCriteria,
    description: null,
    resolveDate: null,
    asOf: new Date(now).toISOString(),
    marketId: null,
    tickerId: null,
    slug: null,
    category: null,
    creator: null,
  };
}
