/**
 * The sources that voters name. Sources come from outside and are shown to people, so this code checks each
 * field and copies no other fields.
 */
import { shortText } from './short-text';
import { VOTE_LIMITS, type Citation } from './vote';

/** Reads a list of citations; entries without an http(s) address are left out. */
export function citationsOf(list: unknown): Citation[] {
  if (!Array.isArray(list)) return [];
  return mergeCitations((list as unknown[]).slice(0, MOST_READ).flatMap((entry) => citationOf(entry) ?? []));
}

/** Of a longer list, only this many entries are read. */
const MOST_READ = 200;

/**
 * Merges lists of citations. Entries with the same address become one citation, which takes its missing fields
 * from later entries. The first 20 addresses are kept.
 */
export function mergeCitations(...lists: readonly (readonly Citation[])[]): Citation[] {
  const merged = new Map<string, Citation>();
  for (const citation of lists.flat()) {
    const known = merged.get(citation.url);
    if (known === undefined) {
      if (merged.size < VOTE_LIMITS.citations) merged.set(citation.url, { ...citation });
      continue;
    }
    known.title ??= citation.title;
    known.quote ??= citation.quote;
    known.publishedAt ??= citation.publishedAt;
    known.retrievedAt ??= citation.retrievedAt;
  }
  return [...merged.values()];
}

/**
 * Reads one entry of a list. Voters use several names: a quote may be called snippet or content, and an
 * instant may be called date. A plain text is read as an address.
 */
function citationOf(entry: unknown): Citation | null {
  const cited = typeof entry === 'string' ? { url: entry } : recordOf(entry);
  const url = addressOf(cited.url);
  if (url === null) return null;
  return {
    url,
    title: textOf(cited.title),
    quote: textOf(cited.quote) ?? textOf(cited.snippet) ?? textOf(cited.content),
    publishedAt: instantOf(cited.publishedAt) ?? instantOf(cited.date),
    retrievedAt: instantOf(cited.retrievedAt),
  };
}

function addressOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > VOTE_LIMITS.url || !URL.canParse(value)) return null;
  const url = new URL(value);
  // Only http(s) is allowed: a `javascript:` address would run in the page that shows the evidence. An address
  // with a password is refused, because that page would show the password.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || url.href.length > VOTE_LIMITS.url) return null;
  return url.href;
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = shortText(value, VOTE_LIMITS.text);
  return text.trim() !== '' ? text : null;
}

function instantOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
