import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [join('docs', name)] : [])),
];

function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replace(/^```[^]*?^```$/gm, '');
}

function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function linkProblem(page: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return `${page}: there is no ${target}`;
  if (anchor === undefined || anchorsOf(target).includes(anchor)) return null;
  return `${page}: ${target} has no heading #${anchor}`;
}

it('the documents have no link that leads nowhere', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
  );
  const own = links.filter(({ link }) => !/^https?:/.test(link));
  expect(own.length).toBeGreaterThan(50);
  expect(own.flatMap(({ page, link }) => linkProblem(page, link) ?? [])).toEqual([]);
  expect(linkProblem('README.md', 'docs/embedding.md#a-heading-that-is-not-there')).not.toBeNull();
  expect(linkProblem('README.md', 'docs/a-page-that-is-not-there.md')).not.toBeNull();
});

function pathsIn(page: string): { path: string; paragraph: string }[] {
  const named =
    /[`(]((?:adapters|bench|cli|ops|scripts|site|src|test|testing)\/[\w./-]+|(?:\.\.\/)?CONTRIBUTING\.md)[`)#]/g;
  return proseOf(page)
    .split(/\n{2,}/)
    .flatMap((paragraph) =>
      [...paragraph.matchAll(named)].map(([, path = '']) => ({ path: path.replace('../', ''), paragraph })),
    );
}

it('a document says that a file is in the repository where the package lacks it', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
  const isShipped = (path: string): boolean => files.some((file) => `${path}/`.startsWith(`${file}/`));
  const isOfNewApp = (path: string): boolean => existsSync(join('cli/templates', path));
  const named = pages
    .filter((page) => page !== 'CONTRIBUTING.md')
    .flatMap((page) => pathsIn(page).map((found) => ({ page, ...found })))
    .filter(({ path }) => !isOfNewApp(path));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ path }) => !existsSync(path));
  expect(missing.map(({ page, path }) => `${page}: there is no ${path}`)).toEqual([]);
  // The text before the first section of a page applies to the whole page.
  const introductionOf = (page: string): string => proseOf(page).split('\n## ')[0] ?? '';
  const unsaid = named.filter(
    ({ page, path, paragraph }) =>
      !isShipped(path) && !`${introductionOf(page)} ${paragraph}`.includes('repository'),
  );
  expect(unsaid.map(({ page, path }) => `${page}: ${path}`)).toEqual([]);
});

it('docs/operations.md creates the role of Postgres as compose.yaml does', () => {
  const [, sql = ''] =
    /<<'SQL'\n(CREATE ROLE [^]*?)SQL\n/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  expect(sql.split('\n')).toHaveLength(4);
  expect(readFileSync('ops/postgres/create-market.sh', 'utf8')).toContain(sql);
});

it('docs/embedding.md names every option of createPredictionMarket', () => {
  const fieldsOf = (path: string, name: string): string =>
    new RegExp(`export interface ${name}[^{]*\\{([^]*?)^\\}`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ??
    '';
  const options =
    fieldsOf('src/prediction-market-options.ts', 'PredictionMarketOptions') +
    fieldsOf('src/oracle-options.ts', 'OracleOptions');
  const names = [...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(['payout', 'oracleBudget']));
  const [, listed = ''] = readFileSync('docs/embedding.md', 'utf8').split('\n## Options\n');
  const section = listed.split('\n## ')[0] ?? '';
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
