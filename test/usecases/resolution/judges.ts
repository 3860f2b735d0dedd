import { failedVote, type OracleOutcome, type Vote } from '../../../src/domain/oracle/vote';
import type { Oracle } from '../../../src/ports/oracle';
import type { Storage } from '../../../src/ports/storage';

export function vote(outcome: OracleOutcome, figures: Partial<Vote> = {}): Vote {
  const probability = { YES: 0.97, NO: 0.03, TOO_EARLY: 0.5, AMBIGUOUS: 0.5, UNKNOWN: 0.5 }[outcome];
  const said = { citations: [], reasoning: '', latencyMs: 1 };
  return { oracle: 'judge', model: 'm', outcome, probability, confidence: 0.9, ...said, ...figures };
}
export const away = failedVote({ oracle: 'judge', model: 'm', latencyMs: 1 }, 'HTTP 500');

export interface ScriptedJudges extends Oracle {
  /** The numbers of the rounds in which the voters were asked. */
  readonly asked: number[];
}

/** In round n the voters give `script[n - 1]`. After the end of the script all voters fail. */
export function scriptedJudges(storage: Storage, script: readonly (readonly Vote[])[]): ScriptedJudges {
  const asked: number[] = [];
  return {
    name: 'judges',
    role: 'judge',
    asked,
    async ask({ marketId }) {
      const query = { marketId: marketId ?? 0, limit: 1 };
      const [newest] = await storage.read((reader) => reader.resolutions.listRounds(query));
      if (newest?.status !== 'asking') throw new Error('The voters are asked without a stored round');
      asked.push(newest.round);
      const votes = script[newest.round - 1] ?? script[0]?.map(() => away) ?? [away];
      return { outcome: 'UNKNOWN', probability: 0.5, confidence: 0, votes };
    },
  };
}

/** A process dies in the transaction with this number, counted from 1. */
export interface Death {
  transaction: number;
  committed: boolean;
}

export function untilDeath(storage: Storage, death: Death | null): Storage {
  let transactions = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error('The process is dead');
  };
  const alive = (): void => (isDead ? die() : undefined);
  return {
    ...storage,
    async read(work) {
      alive();
      return storage.read(work);
    },
    async snapshot(work, options) {
      alive();
      return storage.snapshot(work, options);
    },
    async transaction(work, options) {
      alive();
      transactions += 1;
      const isLast = transactions === death?.transaction;
      if (isLast && !death.committed) die();
      const result = await storage.transaction(work, options);
      return isLast ? die() : result;
    },
  };
}
