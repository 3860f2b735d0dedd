/** What the commands of operators have in common: where they work, and how they print. */
import type { Command } from 'commander';
import { withOperators, type Operators } from './operators';
import type { Surroundings } from './surroundings';

export interface OperatorOptions {
  url?: string;
  json?: true;
}

export const URL_OPTION = ['--url <address>', 'ask a running server instead (needs ADMIN_TOKEN)'] as const;

export interface OperatorCommands {
  /** Adds a command with the common options. */
  add(name: string, description: string): Command;
  /** Asks, and prints the answer: as lines, or as JSON. */
  answer<View extends object>(
    options: OperatorOptions,
    ask: (operators: Operators) => Promise<View>,
    lines: (view: View) => string[],
  ): Promise<void>;
}

export function operatorCommands(parent: Command, surroundings: Surroundings): OperatorCommands {
  return {
    add: (name, description) =>
      parent
        .command(name)
        .description(description)
        .option(...URL_OPTION)
        .option('--json', 'print the answer as JSON'),
    async answer({ url, json }, ask, lines) {
      const view = await withOperators(parent.name(), surroundings, url, ask);
      for (const line of json ? [JSON.stringify(view)] : lines(view)) surroundings.print(line);
    },
  };
}
