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
      const { title, page, text, code } = sections.find((each) => each.id === id) ?? {
        title: '',
        page: '',
        text: '',
        code: '',
      };
      expect(`${id}: ${page} ${title} ${text} ${code}`).toMatch(word);
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
    ['VOID', /^(recipes#resolve-a-market|pricing-and-ledger#resolution)/],
    ['lost admin token', /^deploy#rotate-the-operators-token$/],
    ['two servers', /^operations#one-server-with-sqlite$/],
    ['exit code', /^command-line#output-and-exit-codes$/],
    ['env file', /^standalone#environment$/],
    ['double payment', /^paying#what-you-may-send-what-you-get$/],
    ['pause trading', /^runbook#(stop|refuse-all-writes)$/],
    ['cancel withdrawal', /^money-in-and-out#ending-a-withdrawal-by-hand$/],
    ['change payTo', /^paying#payto-belongs-to-one-deployment$/],
    ['CORS', /^recipes#pages-of-another-origin-cors$/],
  ])('for %s begins with a section that explains it', (query, first) => {
    expect(pagesFor(query)[0]).toMatch(first);
  });

  it.each([
    ['lost key', 'http-api#keys'],
    ['postgres backup', 'operations#backup-and-restore'],
  ])('for %s finds %s among the first three sections', (query, id) => {
    expect(pagesFor(query).slice(0, 3)).toContain(id);
  });

  it('for a word of the code finds the section with the code', () => {
    const found = find('allowPages')[0];
    expect(found?.id).toBe('recipes#pages-of-another-origin-cors');
    expect(excerptOf(`${found?.text} ${found?.code}`, found?.terms ?? [])).toContain('allowPages');
  });

  it('marks a code as a whole, so that the excerpt shows its entry', () => {
    const [first] = find('INSUFFICIENT_BALANCE');
    expect(first?.queryTerms).toEqual(['insufficient_balance']);
    expect(
      excerptOf(sections.find(({ id }) => id === 'errors#codes')?.text ?? '', first?.queryTerms ?? []),
    ).toContain('INSUFFICIENT_BALANCE (409): The wallet balance');
  });
});
