import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { writeApp } from '../init/app';
import { UsageError } from '../needs-a-person';
import { CHOICES, needsSettings, type AppChoices } from '../init/choices';
import type { CommandContext } from '../command-context';

interface Options extends Partial<Omit<AppChoices, 'pages' | 'live'>> {
  pages: boolean;
  live: boolean;
  yes?: true;
  package?: string;
  json?: true;
}

export function addInit(program: Command, commandContext: CommandContext): void {
  const command = program
    .command('init')
    .description('write a small TypeScript app with a market of its own')
    .argument('[folder]', 'where to write it', '.');
  for (const { name, question, choices } of CHOICES) {
    const values = choices.map(({ value }) => value);
    command.addOption(new Option(`--${name} <${name}>`, question.toLowerCase()).choices(values));
  }
  command
    .option('--no-pages', 'without the browser pages')
    .option('--no-live', 'without the live feed')
    .option('--yes', 'ask nothing: take the first choice where no option is given')
    .option('--package <spec>', 'the version, folder or tarball of this package that the app installs')
    .option('--json', 'print the names of the files as JSON')
    .action(async (folder: string, options: Options) => {
      const choices = await complete(options, commandContext);
      requireSafeMoney(choices);
      const target = resolve(commandContext.folder, folder);
      const files = await writeApp(target, choices, options.package);
      if (options.json) commandContext.print(JSON.stringify({ folder: target, ...choices, files }));
      else for (const line of nextSteps(folder, choices, files, target)) commandContext.print(line);
    });
}

/**
 * Asks the person for each choice that the options leave open. If no person can answer, or with `--yes` or
 * `--json`, takes the first choice.
 */
async function complete(options: Options, { isInteractive, choose }: CommandContext): Promise<AppChoices> {
  const chosen: Record<string, string> = {};
  for (const { name, question, choices } of CHOICES) {
    const mayAsk = isInteractive && options.yes !== true && options.json !== true;
    const [first] = choices;
    chosen[name] = options[name] ?? (mayAsk ? await choose(question, choices) : first.value);
  }
  const { storage, oracle, facilitator } = chosen as Pick<AppChoices, 'storage' | 'oracle' | 'facilitator'>;
  return { storage, oracle, facilitator, pages: options.pages, live: options.live };
}

/**
 * Refuses real payments with a storage in memory. A restart would lose the ledger, and with it the record of whose
 * money was paid on the chain.
 */
function requireSafeMoney({ storage, facilitator }: AppChoices): void {
  if (storage === 'memory' && facilitator !== 'development')
    throw new UsageError(
      `the facilitator ${facilitator} takes real money, and with the storage memory each restart forgets whose it is: choose sqlite or postgres`,
    );
}

function nextSteps(folder: string, choices: AppChoices, files: readonly string[], target: string): string[] {
  // Copying over an existing .env would lose its settings.
  const mayCopy = needsSettings(choices) && !existsSync(join(target, '.env'));
  return [
    `wrote ${files.length} files: ${choices.storage} storage, ${choices.oracle} oracle, ${choices.facilitator} facilitator`,
    '',
    ...(folder === '.' ? [] : [`  cd ${inShell(folder)}`]),
    '  npm install',
    '  npm test',
    ...(mayCopy ? ['  cp .env.example .env    # and fill it in'] : []),
    '  npm start',
  ];
}

/** Quotes the text if it has special characters, so that a shell reads it as one word. */
function inShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
