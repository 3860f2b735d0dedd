/** What the commands of operators have in common: where they work, and how they print. */
import type { Command, HelpContext } from 'commander';
import { UsageError } from './needs-a-person';
import { withOperators, type Operators } from './operators';
import type { CommandContext } from './command-context';

export interface OperatorOptions {
  url?: string;
  json?: true;
  /** Only for commands that change something. */
  operator?: string;
}

export const URL_OPTION = ['--url <address>', 'ask a running server instead (needs ADMIN_TOKEN)'] as const;

const OPERATOR_OPTION = ['--operator <name>', "who acts, for the operators' log (default: host)"] as const;

export interface OperatorCommands {
  /** Adds a command with the common options. */
  add(name: string, description: string): Command;
  /**
   * Adds a command that changes something. Its option `--operator` says which name goes into the operators'
   * log.
   */
  addChange(name: string, description: string): Command;
  /** Calls `ask` and prints its answer as JSON, or as the text of `lines`. */
  answer<View extends object>(
    options: OperatorOptions,
    ask: (operators: Operators) => Promise<View>,
    lines: (view: View) => string[],
  ): Promise<void>;
}

export function operatorCommands(parent: Command, commandContext: CommandContext): OperatorCommands {
  requireSubcommand(parent);
  const add = (name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option(...URL_OPTION)
      .option('--json', 'print the answer as JSON');
  return {
    add,
    addChange: (name, description) => add(name, description).option(...OPERATOR_OPTION),
    async answer({ url, json, operator }, ask, lines) {
      if (url !== undefined && operator !== undefined)
        throw new UsageError('--operator works without --url only: a server names the operator itself');
      const view = await withOperators(parent.name(), commandContext, { url, operator }, ask);
      for (const line of json ? [JSON.stringify(view)] : lines(view)) commandContext.print(line);
    },
  };
}

/** Without a subcommand, Commander would print the whole help as an error. It asks for it by `help({ error: true })`. */
function requireSubcommand(parent: Command): void {
  const help = parent.help.bind(parent);
  parent.help = ((context?: HelpContext) => {
    if (context?.error !== true) return help(context);
    const names = parent.commands.map((command) => command.name()).join(', ');
    return parent.error(`error: ${parent.name()} needs a subcommand: ${names}`);
  }) as Command['help'];
}
