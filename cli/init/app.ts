/** Writes the app of `init` from the files of cli/templates. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../needs-a-person';
import { packageFolder } from '../package';
import { needsSettings, type AppChoices } from './choices';
import { manifestOf } from './manifest';

/** A part of a template: the lines from `// if <name>` to `// end`, including these two lines. */
const PART = /^(?:\/\/|#) if (\w+)\n([^]*?)^(?:\/\/|#) end\n/gm;

/** Writes the app and returns the names of its files. An existing file is never overwritten. */
export async function writeApp(
  folder: string,
  choices: AppChoices,
  packageSpec: string | undefined,
): Promise<string[]> {
  const name = packageNameOf(folder);
  const files = await filesOf(name, choices, packageSpec);
  const existing = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (existing.length > 0)
    throw new UsageError(
      `nothing was written, because these files exist in ${folder}: ${existing.join(', ')}`,
    );
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text, { flag: 'wx' });
  }
  return Object.keys(files);
}

async function filesOf(
  name: string,
  choices: AppChoices,
  packageSpec: string | undefined,
): Promise<Record<string, string>> {
  const { storage, oracle, facilitator } = choices;
  const source = async (path: string): Promise<string> => withParts(await template(path), choices);
  const environment = [
    'env.app',
    `env.storage.${storage}`,
    `env.oracle.${oracle}`,
    `env.facilitator.${facilitator}`,
  ];
  return {
    'package.json': manifestOf(name, choices, packageSpec),
    'tsconfig.json': await template('tsconfig.template.json'),
    'tsconfig.build.json': await template('tsconfig.build.template.json'),
    '.gitignore': await template('gitignore'),
    '.env.example': (await Promise.all(environment.map(template))).join(''),
    'README.md': filledIn(await template('README.template.md'), {
      ...{ name, storage, oracle, facilitator },
      settings: needsSettings(choices) ? 'cp .env.example .env    # and fill it in\n' : '',
      money: moneyAdvice(choices),
      trading: tradingAdvice(choices),
    }),
    'src/app.ts': await source('src/app.ts'),
    'src/failures.ts': await source('src/failures.ts'),
    'src/main.ts': await source('src/main.ts'),
    'src/prediction-market.ts': await source('src/prediction-market.ts'),
    'src/settings.ts': await source('src/settings.ts'),
    // A copy of a file of the standalone server. The file imports no other file.
    'src/misspelt.ts': await ofPackage('examples/standalone/misspelt.ts'),
    'src/storage.ts': await source(`variants/storage.${storage}.ts`),
    'src/oracle.ts': await source(`variants/oracle.${oracle}.ts`),
    'src/payments.ts': await source(`variants/facilitator.${facilitator}.ts`),
    'test/app.test.ts': await source('test/app.test.ts'),
  };
}

const template = (path: string): Promise<string> => ofPackage(`cli/templates/${path}`);

function ofPackage(path: string): Promise<string> {
  return readFile(join(packageFolder(), path), 'utf8');
}

/** Keeps a part of a template if it was chosen. */
function withParts(text: string, choices: AppChoices): string {
  const chosen: Record<string, boolean> = {
    pages: choices.pages,
    apiAlone: !choices.pages,
    live: choices.live,
  };
  // The marker lines may be indented like the code around them. Their indentation is removed first.
  return text
    .replace(/^ +(?=\/\/ (?:if \w+|end)\n)/gm, '')
    .replace(PART, (_all, part: string, lines: string) => (chosen[part] === true ? lines : ''));
}

function filledIn(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, key: string) => values[key] ?? '');
}

/** The text for the README of the app that says where the money for the first market comes from. */
function moneyAdvice({ storage, facilitator }: AppChoices): string {
  if (facilitator !== 'development')
    return (
      'The payments are real here, and a deposit is only an entry in the books: credit money that has reached\n' +
      'you. Wallets can pay in by themselves: `docs/paying.md`.\n\n' +
      'The house needs money too, because traders may win more than others have lost. While it cannot pay what it\n' +
      'owes, withdrawals wait. Credit it with USDC that you hold for it, also after `await pm.start()`:\n' +
      "`await pm.depositToTreasury({ amount: 100, reference: 'the first money of the house' });`\n" +
      '(`docs/pricing-and-ledger.md`, "The house\'s money").'
    );
  if (storage === 'memory') return 'The money is play money, and everything is gone when the app ends.';
  return (
    'Or fill the database with markets and weeks of trades in play money, before the first start:\n' +
    '`npx express-prediction-market sample`. It reads `DATABASE_URL` from the environment, not from `.env`.'
  );
}

function tradingAdvice({ pages }: AppChoices): string {
  return pages
    ? 'The wallet then trades on the page of the market, or by the client: `docs/client.md`. Operators have pages for all\n' +
        'of this, at the address that the start prints, and routes: `docs/http-api.md`.'
    : 'The wallet then trades by the client: `docs/client.md`. The app has no pages. Operators have routes for all of\n' +
        'this: `docs/http-api.md`.';
}

/** A name that npm accepts. */
function packageNameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'prediction-market-app' : name;
}
