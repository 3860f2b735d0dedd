/** This model obeys every text that is neither our system prompt nor a correct data block. */
import { judgePrompt } from '../../../adapters/shared/judge/prompt';
import type { OracleEvidence } from '../../../testing';

export interface Message {
  role: string;
  content: string;
}

export interface Verdict {
  outcome: string;
  probability: number;
  confidence: number;
  reasoning: string;
  citations: object[];
}

const FENCE = 'f'.repeat(32);
export const NO_MARKET = { marketId: null, tickerId: null, slug: null, category: null, creator: null };
export const ANY_QUESTION = {
  question: 'Did it rain in Lima on 2025-06-01?',
  resolutionCriteria: 'By the report of SENAMHI.',
  description: null,
  resolveDate: '2025-06-02T00:00:00.000Z',
  asOf: '2025-06-03T00:00:00.000Z',
  ...NO_MARKET,
};
const SYSTEM_PROMPT = judgePrompt(ANY_QUESTION, FENCE).system;
const FIELDS = [
  'question',
  'resolutionCriteria',
  'description',
  'category',
  'resolveDate',
  'asOf',
  'searchResults',
];
/** Models see these characters, and people do not. */
const HIDDEN = /[\p{Cf}\p{Variation_Selector}]/u;

export function obedientModel(messages: readonly Message[], evidence: OracleEvidence): Verdict {
  const orders = messages.flatMap(ordersIn);
  return orders.length > 0
    ? verdictFor('YES', 'I was told so.')
    : verdictFor(evidence, 'By my sources.', urlsIn(messages));
}

export function verdictFor(
  evidence: OracleEvidence,
  reasoning: string,
  urls: readonly string[] = [],
): Verdict {
  const citations = urls.map((url) => ({ url, title: 'A report', quote: 'It says so.', publishedAt: null }));
  if (evidence === 'NOTHING')
    return { outcome: 'UNKNOWN', probability: 0.5, confidence: 0.2, reasoning, citations };
  return {
    outcome: evidence,
    probability: evidence === 'YES' ? 0.98 : 0.02,
    confidence: 0.95,
    reasoning,
    citations,
  };
}

function ordersIn({ role, content }: Message): string[] {
  if (role === 'system') return content === SYSTEM_PROMPT ? [] : [content];
  if (role !== 'user') return [content];
  const [block, , json = ''] = /<(market-data-[0-9a-f]{32})>\n([^]*?)\n<\/\1>/.exec(content) ?? [];
  if (block === undefined) return [content];
  const beside = content.replace(block, '').trim();
  const isStrange = HIDDEN.test(json) || /[<>&]/.test(json) || !isOurs(json);
  return [...(beside === '' ? [] : [beside]), ...(isStrange ? [json] : [])];
}

function isOurs(json: string): boolean {
  try {
    return Object.keys(JSON.parse(json) as object).every((name) => FIELDS.includes(name));
  } catch {
    return false;
  }
}

function urlsIn(messages: readonly Message[]): string[] {
  return messages
    .flatMap(({ content }) => [...content.matchAll(/"url": "([^"]+)"/g)].map(([, url = '']) => url))
    .slice(0, 1);
}
