import { setImmediate as nextTurn } from 'node:timers/promises';
import { checksumAddress } from '../../crypto/address';
import { tickerId } from '../../domain/market';
import { noAnswer, receiveAnswer, type ReceivedAnswer } from '../../domain/oracle/answer';
import { isDecisive, isValid } from '../../domain/oracle/vote';
import type { Market } from '../../domain/types';
import type { OracleQuestion } from '../../ports/oracle';
import { unlessAborted } from '../../ports/time-limit';
import type { Context } from '../context';

export function questionOf(market: Market, now: number): OracleQuestion {
  const { question, resolutionCriteria, description, id, slug, category, creator } = market;
  return {
    question,
    resolutionCriteria,
    description,
    resolveDate: new Date(market.resolveDate).toISOString(),
    asOf: new Date(now).toISOString(),
    marketId: id,
    tickerId: tickerId(id),
    slug,
    category,
    creator: checksumAddress(creator),
  };
}

/**
 * Asks the oracle, and stops waiting when the signal is aborted. Never rejects: a failure or an unusable answer
 * becomes a failed vote. Failed votes and abstentions are logged.
 */
export async function askOracle(
  { oracle, logger }: Pick<Context, 'oracle' | 'logger'>,
  question: OracleQuestion,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const began = performance.now();
  const asked = () => ({ oracle: oracle.name, latencyMs: Math.round(performance.now() - began) });
  const { marketId } = question;
  let answer: unknown;
  try {
    signal.throwIfAborted();
    // The call is made inside an async function, so that an error that the oracle throws synchronously
    // becomes a rejection.
    const asking = (async () => oracle.ask(question, { signal }))();
    answer = await unlessAborted(
      signal,
      asking,
      () => new Error(`Oracle ${oracle.name} was not waited for`, { cause: signal.reason }),
    ).catch(async (late: unknown) => {
      // The oracle gets one turn of the event loop to end by itself. An oracle of several voters then answers
      // with the votes that have arrived.
      const over = nextTurn().then(() => Promise.reject(late));
      return Promise.race([asking, over]);
    });
  } catch (err) {
    logger.warn({ err, marketId, oracle: oracle.name }, 'the oracle did not answer');
    return noAnswer(asked(), messageOf(err));
  }
  const received = receiveAnswer(answer, asked());
  for (const vote of received.votes) {
    const { oracle: voter, model, outcome, error } = vote;
    if (!isValid(vote)) logger.warn({ marketId, voter, model, error }, 'a vote of the oracle cannot be used');
    else if (!isDecisive(outcome)) logger.info({ marketId, voter, model, outcome }, 'the oracle abstains');
  }
  return received;
}

/** The first line of the message. The next lines may be a stack trace or a response body. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message.split('\n', 1)[0] : '';
  return message === undefined || message.trim() === '' ? 'the oracle failed' : message;
}
