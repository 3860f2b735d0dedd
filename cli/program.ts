/** The command line: lists the commands, runs one, and turns its error into lines and an exit code. */
import { Command } from 'commander';
import { addAudit } from './commands/audit';
import { addBackup } from './commands/backup';
import { addEpoch } from './commands/epoch';
import { addEvents } from './commands/events';
import { addInit } from './commands/init';
import { addMigrate } from './commands/migrate';
import { addSample } from './commands/sample';
import { addServe } from './commands/serve';
import { withVariable } from './environment-hint';
import { DONE, failureOf, type ExitCode } from './failures';
import { addGroup, addSingle, type AddCommand } from './operator-command';
import { OPERATOR_GROUPS, OPERATOR_SINGLES } from './operators';
import { packageVersion } from './package';
import { secretsOfEnvironment } from './secrets';
import type { CommandContext } from './command-context';

export const NAME = 'express-prediction-market';

/** The commands, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addInit,
  addServe,
  addSample,
  addMigrate,
  addAudit,
  addBackup,
  ...OPERATOR_GROUPS.map(addGroup),
  ...OPERATOR_SINGLES.map(addSingle),
  addEvents,
  addEpoch,
];

const AFTER_HELP = `
The commands work on the database that DATABASE_URL names, as the server does, or on a running
server with --url and the environment variable ADMIN_TOKEN.
Exit codes: 0 done, 1 failed (audit: the books do not add up), 2 a person has to change something
first, 3 no result: the books could not be read, or the result could not be written.`;

/** Runs one command. Never rejects: it prints an error. */
export async function runCommandLine(
  argumentsOfCommand: readonly string[],
  commandContext: CommandContext,
): Promise<ExitCode> {
  const program = createProgram(commandContext, argumentsOfCommand);
  try {
    await program.parseAsync(withoutHelpCommand(program, argumentsOfCommand), { from: 'user' });
    return DONE;
  } catch (error) {
    const { exitCode, lines } = failureOf(error, secretsOfEnvironment(commandContext.environment));
    for (const line of lines) commandContext.tell(line);
    return exitCode;
  }
}

/**
 * Replaces `help keys list` by `keys list --help`, because Commander would show the help of `keys`. Replaces `help lst`
 * by `lst`, so that Commander refuses the unknown command and does not show the whole help.
 */
function withoutHelpCommand(program: Command, args: readonly string[]): string[] {
  const [first, ...path] = args;
  if (first !== 'help' || path.length === 0) return [...args];
  let shown = program;
  for (const [index, name] of path.entries()) {
    if (shown.commands.length === 0) return [...path.slice(0, index), '--help'];
    const next = shown.commands.find((command) => command.name() === name);
    if (next === undefined) return path.slice(0, index + 1);
    shown = next;
  }
  return [...path, '--help'];
}

export function createProgram(commandContext: CommandContext, args: readonly string[] = []): Command {
  const { print, tell } = commandContext;
  // Only commands that are added after these settings inherit them. Without the settings, Commander would
  // itself end the process and write to its streams.
  const program = new Command(NAME)
    .description('Runs and looks after a prediction market.')
    .version(packageVersion())
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => print(text.replace(/\n$/, '')),
      writeErr: (text) => tell(text.replace(/\n$/, '')),
      outputError: (text, write) => write(withVariable(text, args).replace(/\.?\n/, '; see --help\n')),
    })
    .addHelpText('after', AFTER_HELP);
  for (const add of COMMANDS) add(program, commandContext);
  return program;
}
