/** Advice about a question while its creator writes it. The advice blocks nothing. Pure. */

export interface DraftQuestion {
  question: string;
  resolutionCriteria: string;
  /** When trading closes; null before the creator has said so. */
  closesAt: Date | null;
}

const LEAST_CRITERIA = 40;
/** Words about which two readers may disagree. */
const VAGUE =
  /\b(significant(?:ly)?|substantial(?:ly)?|major|soon|popular|successful|likely|well[- ]received|better|worse|best|worst|many|most people)\b/i;
/** First words of English yes/no questions, also of questions such as “By May, will …?”. */
const YES_OR_NO =
  /^(will|is|are|was|were|do|does|did|has|have|had|can|could|should|would|before|by|in|at|if|on|when)\b/i;
const SOURCE =
  /https?:\/\/|\b(according to|reports?|reported|publish(?:ed|es)?|official(?:ly)?|announce[ds]?|results? of|figures? of|data of|website|source)\b/i;
const YEAR = /\b20\d\d\b/g;
const OPEN_WORDS = /^(who|what|which|where|why|how|whose)\b/i;

export function adviceAbout({ question, resolutionCriteria, closesAt }: DraftQuestion): string[] {
  const asked = question.trim();
  const criteria = resolutionCriteria.trim();
  return [...aboutQuestion(asked), ...aboutDates(asked, closesAt), ...aboutCriteria(criteria, asked)];
}

function aboutQuestion(asked: string): string[] {
  if (asked === '') return [];
  const advice: string[] = [];
  if (OPEN_WORDS.test(asked)) advice.push('Ask so that the answer is yes or no, such as “Will … by …?”.');
  // Only for the Latin script, because the words are English.
  else if (/^[a-z]/i.test(asked) && !YES_OR_NO.test(asked) && !/\b(will|does|did|is|are|has)\b/i.test(asked))
    advice.push('Ask so that the answer is yes or no, such as “Will … by …?”.');
  if (/[a-z0-9)”"]$/i.test(asked)) advice.push('End the question with a question mark.');
  if (/\band\/or\b|\beither\b.*\bor\b|\?.+\?/i.test(asked))
    advice.push(
      'This may be two questions. Say what decides if only one part becomes true, or ask about one part.',
    );
  const vague = VAGUE.exec(asked);
  if (vague !== null)
    advice.push(`Readers may disagree about “${vague[0]}”. Say it with a number, a name or a date.`);
  return advice;
}

function aboutDates(asked: string, closesAt: Date | null): string[] {
  if (asked === '' || closesAt === null || Number.isNaN(closesAt.getTime())) return [];
  const years = (asked.match(YEAR) ?? []).map(Number);
  const closing = closesAt.getUTCFullYear();
  const last = Math.max(...years);
  return years.length > 0 && last < closing
    ? [
        `The question names ${last}, and trading closes in ${closing}, after it. Traders may know the answer by then.`,
      ]
    : [];
}

function aboutCriteria(criteria: string, asked: string): string[] {
  if (criteria === '') return [];
  const advice: string[] = [];
  if (criteria.length < LEAST_CRITERIA || criteria.toLowerCase() === asked.toLowerCase())
    advice.push(
      'Say what makes the answer YES, what makes it NO, and what happens if the event is called off.',
    );
  if (!SOURCE.test(criteria))
    advice.push('Name the source that decides, such as the address of a page or who publishes the figure.');
  return advice;
}
