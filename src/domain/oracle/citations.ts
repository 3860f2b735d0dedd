/**
 * Sources that voters name. They come from outside and are shown to people, so each is read field by field.
 */
import { VOTE_LIMITS, type Citation } from './vote';

/** Reads a list of citations; entries without an http(s) address are left out. */
export function citationsOf(list: unknown): Citation[] {
  if (!Array.isArray(list)) return [];
  return mergeCitations((list as unknown[]).slice(0, MOST_READ).flatMap((entry) => citationOf(entry) ?? []));
}

/** At most this many entries of a server's list are read. */
const MOST_READ = 200;

/**
 * Merges the lists. Entries with the same address become one citation, which takes missing fields from later
 * entries. The first 20 addresses are kept.
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
 * Servers use other names too: a quote may be a snippet or a content, and an instant a date. A plain text is
 * an address.
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
  // A `javascript:` address would run in the page that shows the evidence. A password in an address would be
  // shown there.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || url.href.length > VOTE_LIMITS.url) return null;
  return url.href;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, VOTE_LIMITS.text) : null;
}

function instantOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
