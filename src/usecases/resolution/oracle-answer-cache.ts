/**
 * The oracle's answers to the paid questions of the last minute. A market's own rounds neither write nor read
 * these answers, because paid answers and resolutions must not influence each other.
 */
import { BoundedMap } from '../../domain/bounded-map';
import type { Clock } from '../../ports/clock';
import type { OracleAnswerView } from '../../views/oracle';

export interface OracleAnswerCache {
  /**
   * The known answer to the same question, if the oracle was asked less than a minute ago. Otherwise the answer
   * of `ask`.
   */
  answer(question: PaidQuestion, ask: () => Promise<OracleAnswerView>): Promise<OracleAnswerView>;
}

export interface PaidQuestion {
  marketId: number | null;
  question: string | null;
  resolutionCriteria: string | null;
}

const KNOWN_FOR_MS = 60_000;
const MOST_KNOWN = 1_000;

interface Known {
  askedAt: number;
  answer: Promise<OracleAnswerView>;
}

export function createOracleAnswerCache({ clock }: { clock: Clock }): OracleAnswerCache {
  const known = new BoundedMap<string, Known>(MOST_KNOWN);
  const isFresh = ({ askedAt }: Known): boolean => {
    const age = clock.now() - askedAt;
    // If the clock was set back, the age is negative, and the answer counts as old.
    return age >= 0 && age < KNOWN_FOR_MS;
  };
  return {
    answer(question, ask) {
      const key = keyOf(question);
      const earlier = known.get(key);
      if (earlier !== undefined && isFresh(earlier)) return earlier.answer;
      const entry = { askedAt: clock.now(), answer: ask() };
      known.set(key, entry);
      // A failure is not kept: the next payer's question is put to the oracle again.
      entry.answer.catch(() => {
        if (known.get(key) === entry) known.delete(key);
      });
      return entry.answer;
    },
  };
}

/**
 * The key ignores the Unicode form of a text and the white space at its ends. All other white space counts as single
 * spaces.
 */
function keyOf({ marketId, question, resolutionCriteria }: PaidQuestion): string {
  const parts = [question, resolutionCriteria].map(
    (text) => text?.normalize('NFC').trim().replace(/\s+/g, ' ') ?? null,
  );
  return JSON.stringify([marketId, ...parts]);
}
