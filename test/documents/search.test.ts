/** What the search of the documentation finds first in the built pages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { excerptOf } from '../../site/browser/docs/excerpt';
import { indexOf, type FindSections, type Section } from '../../site/browser/docs/section-index';

let sections: Section[];
let find: FindSections;
beforeAll(() => {
  const built = mkdtempSync(join(tmpdir(), 'search-'));
  execFileSync(process.execPath, ['scripts/build-docs.mjs', built], { stdio: 'pipe' });
  sections = JSON.parse(readFileSync(join(built, 'assets/search.json'), 'utf8')) as Section[];
  rmSync(built, { recursive: true, force: true });
  find = indexOf(sections);
});

describe('the search', () => {
  const pagesFor = (query: string): string[] => {
    return find(query).map(({ id }) => String(id));
  };

  it.each([
    ['CORS', /\bcors\b/i],
    ['WORKERS', /workers/i],
    ['nonce', /nonce/i],
    ['lease', /lease/i],
  ])('for %s finds only sections with this word', (query, word) => {
    const found = pagesFor(query);
    expect(found.length).toBeGreaterThan(0);
    for (const id of found) {
      const { title, page, text } = sections.find((each) => each.id === id) ?? {
        title: '',
        page: '',
        text: '',
      };
      expect(`${id}: ${page} ${title} ${text}`).toMatch(word);
    }
  });

  it.each([
    ['webhooks', /#webhooks$/],
    ['withdrawals', /^(money-in-and-out|pages|http-api|client)\b/],
    ['idempotency', /^(?!glossary|performance|types)/],
    ['outbox', /^(?!glossary|performance|types)/],
    ['slipage', /^(?!glossary|performance|types)/],
    ['rate limit', /^rate-limits$/],
    ['forgot admin token', /^deploy#rotate-the-operators-token$/],
    ['INSUFFICIENT_BALANCE', /^errors#codes$/],
    ['NOT_FOUND', /^errors#codes$/],
    ['UNAUTHORIZED', /^errors#codes$/],
    ['WORKERS', /^standalone#several-workers$/],
    ['rotate admin token passphrase', /^deploy#rotate-the-operators-token$/],
  ])('for %s begins with a section that explains it', (query, first) => {
    expect(pagesFor(query)[0]).toMatch(first);
  });

  it('marks a code as a whole, so that the excerpt shows its entry', () => {
    const [first] = find('INSUFFICIENT_BALANCE');
    expect(first?.queryTerms).toEqual(['insufficient_balance']);
    expect(
      excerptOf(sections.find(({ id }) => id === 'errors#codes')?.text ?? '', first?.queryTerms ?? []),
    ).toContain('INSUFFICIENT_BALANCE (409): The wallet balance');
  });
});
