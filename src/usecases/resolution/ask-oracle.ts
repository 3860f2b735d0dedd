import type { MarketRecord } from '../../ports/storage';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../ports/oracle';
import type { Market } from '../../domain/types';

export function questionOf(market: Market | MarketRecord, now: number): OracleQuestion {
  const { question, resolutionCriteria, description } = market;
  return {
    question,
    resolutionCriteria,
    description,
    resolveDate: new Date(market.resolveDate).toISOString(),
    asOf: new Date(now).toISOString(),
  };
}

/**
 * Asks, and gives up when the signal says so even if the oracle does not listen to it. Rejects with whatever the
 * oracle rejects with, and for a confidence that is not a number from 0 to 1: it would stand in the books.
 */
export async function askOracle(
  oracle: Oracle,
  question: OracleQuestion,
  signal: AbortSignal,
): Promise<OracleAnswer> {
  signal.throwIfAborted();
  const answer = await unlessAborted(
    // Inside an async function, so that an oracle that throws before it returns a promise rejects as well.
    (async () => oracle.ask(question, { signal }))(),
    signal,
    oracle.name,
  );
  if (!(answer.confidence >= 0 && answer.confidence <= 1)) {
    throw new RangeError(`Oracle ${oracle.name} answered with the confidence ${String(answer.confidence)}`);
  }
  return answer;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(new Error(`Oracle ${name} was not waited for`, { cause: signal.reason }));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
