import { PredictionMarketError } from '../../domain/errors';
import type { ReceivedAnswer } from '../../domain/oracle/answer';
import { opinionOf, type Consensus } from '../../domain/oracle/consensus';
import { isValid } from '../../domain/oracle/vote';
import type { Oracle, OracleQuestion } from '../../ports/oracle';
import { oracleAnswerView, type OracleAnswerView } from '../../views/oracle';
import { askOracle, questionOf } from './ask-oracle';
import type { AskQuestionCommand } from '../commands';
import type { Context } from '../context';

/** The time limit of a paid question, for all voters together. */
const TIME_LIMIT_MS = 30_000;

/**
 * The oracle's answer to a market's question, or to a question of the payer. The same question to the same instance
 * within a minute gets the same answer, whose `asOf` says when the oracle was asked. Rejects with MARKET_NOT_FOUND or
 * ORACLE_UNAVAILABLE.
 */
export async function askQuestion(context: Context, command: AskQuestionCommand): Promise<OracleAnswerView> {
  const question = await questionFor(context, command);
  return context.oracleAnswerCache.answer(command, () => opinionOn(context, question));
}

async function opinionOn(context: Context, question: OracleQuestion): Promise<OracleAnswerView> {
  const received = await askOracle(context, question, AbortSignal.timeout(TIME_LIMIT_MS));
  const opinion = opinionIn(received, context.oracle);
  if (opinion !== null) return oracleAnswerView(question, received, opinion);
  throw new PredictionMarketError('ORACLE_UNAVAILABLE', 'The oracle did not answer. Try again later.', {
    retryAfterSeconds: 5,
    cause: new Error(received.own.error ?? 'Too few voters answered'),
  });
}

/**
 * The opinion in the answer. `null` if too few voters answered, or if the answer of an authority cannot be
 * used.
 */
function opinionIn({ own, votes }: ReceivedAnswer, { role }: Oracle): Consensus | null {
  if (role === 'judge') return opinionOf(votes);
  if (!isValid(own)) return null;
  const { outcome, probability, confidence } = own;
  return { outcome, probability, confidence, agreement: 1 };
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
