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
    ['INSUFFICIENT_BALANCE', /^errors#INSUFFICIENT_BALANCE$/],
    ['insufficient_balance', /^errors#INSUFFICIENT_BALANCE$/],
    ['NOT_FOUND', /^errors#NOT_FOUND$/],
    ['UNAUTHORIZED', /^errors#UNAUTHORIZED$/],
    ['WORKERS', /^standalone#WORKERS$/],
    ['TRUST_PRO', /^standalone#TRUST_PROXY$/],
    ['several workers', /^standalone#several-workers$/],
    ['pm.placeTrade(…)', /^types-index#pmplacetrade$/],
    ['`pm.audit()`', /^types-index#pmaudit$/],
    ['client.trades.place', /^types-client#clienttradesplace$/],
    ['trades.place', /^types-client#clienttradesplace$/],
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
    ['rollback', /^questions#how-do-i-downgrade/],
    ['downgrade', /^questions#how-do-i-downgrade/],
    ['mainnet', /^deploy#from-a-test-network-to-the-mainnet$/],
    ['testnet', /^questions#can-i-try-it-on-a-testnet/],
    ['kubernetes', /^questions#does-it-run-on-kubernetes/],
    ['fastify', /^questions#does-it-work-with-fastify/],
    ['mongodb', /^questions#does-it-work-with-mysql/],
    ['delete market', /^questions#can-i-cancel-an-order-or-a-trade/],
    ['jwt', /^questions#how-do-users-log-in/],
    ['dispute', /^questions#can-traders-dispute/],
    ['kyc', /^questions#does-it-do-kyc/],
    ['python', /^questions#is-there-an-sdk/],
    ['ollama', /^questions#which-models/],
    ['EADDRINUSE', /^questions#the-port-is-in-use/],
    ['timezone', /^questions#in-which-time-zone/],
    ['healthcheck', /^questions#what-is-the-health-check/],
    ['lost answer', /^questions#can-a-wallet-spend/],
    ['spend twice', /^questions#can-a-wallet-spend/],
    ['time zone', /^questions#in-which-time-zone/],
    ['hardware wallet', /^questions#do-hardware-wallets/],
    ['cancel order', /^questions#can-i-cancel-an-order/],
    ['lost password', /^questions#what-if-a-user-has-lost/],
    ['load balancer health check', /^questions#what-is-the-health-check/],
    ['maximum bet size', /^questions#is-there-a-maximum-bet-size/],
    ['who gets the fee', /^questions#who-gets-the-fee/],
    ['bot', /^(examples|client)\b/],
    ['trading bot', /^examples$/],
    ['playMoney', /^pages#playMoney$/],
    ['--yes', /^command-line#output-and-exit-codes$/],
  ])('for %s begins with a section that explains it', (query, first) => {
    expect(pagesFor(query)[0]).toMatch(first);
  });

  it.each([
    ['lost key', 'http-api#keys'],
    ['how to resolve a market', 'questions#how-do-i-resolve-a-market'],
    ['postgres backup', 'operations#backup-and-restore'],
  ])('for %s finds %s among the first three sections', (query, id) => {
    expect(pagesFor(query).slice(0, 3)).toContain(id);
  });

  it('for a word of the code finds the section with the code', () => {
    const found = find('allowPages')[0];
    expect(found?.id).toBe('recipes#pages-of-another-origin-cors');
    expect(excerptOf(`${found?.text} ${found?.code}`, found?.terms ?? [])).toContain('allowPages');
  });

  it('shows the definition of a code as the excerpt', () => {
    const [first] = find('INSUFFICIENT_BALANCE');
    expect(first?.terms).toEqual(['insufficient_balance']);
    expect(excerptOf(first?.text ?? '', first?.terms ?? [])).toContain(
      'INSUFFICIENT_BALANCE (409): The wallet balance',
    );
  });
});

const read = (page: string): string => readFileSync(page, 'utf8');

function partOf(page: string, heading: string): string {
  return read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/^ *(?:- |\| )((?:(?:,? (?:and|or) |, ?)?`[\w.]+`)+)/gm)].flatMap(
    ([, list = '']) => [...list.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  );
}

function membersOf(path: string, name: string): string[] {
  const body = read(path).split(`interface ${name} `)[1]?.split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?'?([\w.]+)'?\??[(:]/gm)].map(([, member = '']) => member);
}

const OPTIONS = namesIn(partOf('docs/embedding.md', 'Options'));
const SETTINGS = ['Environment', 'Who resolves markets'].flatMap((heading) =>
  namesIn(partOf('docs/standalone.md', heading)),
);
/** Commands with the name of a subject that another section explains. */
const SUBJECTS = ['deposits', 'withdrawals', 'webhooks', 'consumers'];
const COMMANDS = [...read('docs/command-line.md').matchAll(/^## (\w+)$/gm)]
  .map(([, name = '']) => name)
  .filter((name) => !SUBJECTS.includes(name));
const METHODS = [
  ...membersOf('src/create-prediction-market.ts', 'PredictionMarket'),
  ...membersOf('src/operations-types.ts', 'Operations'),
  ...membersOf('src/operator-operations-types.ts', 'OperatorOperations'),
];
const EVENTS = ['EventMap', 'LocalEventMap'].flatMap((name) => membersOf('src/domain/events.ts', name));
const DEFINITIONS: readonly (readonly [string, readonly string[], (name: string) => string])[] = [
  ['an environment variable', SETTINGS, (name) => `standalone#${name}`],
  ['an option', OPTIONS, (name) => `embedding#${name}`],
  ['an error code', namesIn(partOf('docs/errors.md', 'Codes')), (name) => `errors#${name}`],
  ['a command', COMMANDS, (name) => `command-line#${name}`],
  ['a method', METHODS, (name) => `types-index#pm${name.toLowerCase()}`],
  ['an event', EVENTS, (name) => `types-index#${name.replace('.', '')}`],
];

describe('the search for a name', () => {
  it('is tested with the names of all lists', () => {
    expect(SETTINGS).toEqual(expect.arrayContaining(['TRUST_PROXY', 'ADMIN_TOKEN', 'RPC_URL', 'ORACLE_API']));
    expect(OPTIONS).toEqual(
      expect.arrayContaining(['storage', 'facilitator', 'exposureLimit', 'channelLimit']),
    );
    expect(METHODS).toEqual(expect.arrayContaining(['placeTrade', 'audit', 'consume', 'resumeConsumer']));
    const least = [30, 45, 35, 10, 60, 13];
    for (const [index, [kind, names]] of DEFINITIONS.entries())
      expect([kind, names.length >= (least[index] ?? 0)]).toEqual([kind, true]);
    expect(COMMANDS).toContain('backup');
    expect(EVENTS).toContain('consumer.parked');
  });

  it.each(SUBJECTS)('that is a command and a subject (%s) begins with the subject and finds both', (name) => {
    const ids = find(name).map(({ id }) => id);
    expect(ids[0]).not.toMatch(/^command-line/);
    expect(ids).toContain(`command-line#${name}`);
  });

  it.each(DEFINITIONS)('that is %s begins with its definition', (_kind, names, addressOf) => {
    const missed = names.flatMap((name) => {
      const found = find(name);
      const place = found.findIndex(({ id }) => id === addressOf(name));
      // The same name may have another definition. For example, EXPOSURE_LIMIT is a variable and an error code.
      const before = found.slice(0, Math.max(place, 0));
      const isSame = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
      const isFirst = place >= 0 && before.every(({ names: defined = [] }) => defined.some(isSame));
      return isFirst
        ? []
        : [
            `${name}: ${found
              .slice(0, 3)
              .map(({ id }) => id)
              .join(', ')}`,
          ];
    });
    expect(missed).toEqual([]);
  });
});
