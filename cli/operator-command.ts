/** Makes commands from descriptions: each names its fields, its call of the service, and the lines that it prints. */
import type { Command, HelpContext } from 'commander';
import { UsageError } from './needs-a-person';
import { carryOut, type OperatorCall, type OperatorRoute, type Place } from './operator-calls';
import { addFields, inputOf, optionName, type AnyField, type Fields } from './operator-fields';
import { printable } from './printable';
import type { CommandContext } from './command-context';

const URL_FLAG = '--url <address>';
export const URL_OPTION = [URL_FLAG, 'ask a running server instead (needs ADMIN_TOKEN)'] as const;
const URL_REQUIRED = 'required: the address of a running server (needs ADMIN_TOKEN)';
const OPERATOR_OPTION = ['--operator <name>', "who acts, for the operators' log (default: host)"] as const;

interface Described<Input extends object, View extends object> extends OperatorCall<Input, View> {
  name: string;
  description: string;
  fields: Fields<NoInfer<Input>>;
  /** The command is refused without one of the optional fields. */
  needsOption?: true;
  /** The text for people. `--json` prints the answer of the service instead. */
  lines(view: NoInfer<View>, look: Look): string[] | Promise<string[]>;
}

/**
 * Makes a further call on the same database or server, for a text that the command prints. Resolves with `null` if the
 * call fails, because the command itself has succeeded.
 */
export type Look = <Input extends object, View extends object>(
  call: OperatorCall<Input, View>,
  input: Input,
) => Promise<View | null>;

/** A described command without its types, so that a group can list all commands. */
export interface OperatorCommand {
  name: string;
  description: string;
  route: OperatorRoute;
  worksOnDatabase: boolean;
  fields: Readonly<Record<string, AnyField>>;
  needsOption?: true;
  carryOut(
    input: object,
    place: Place,
    commandContext: CommandContext,
  ): Promise<{ view: object; lines(): string[] | Promise<string[]> }>;
}

export function operatorCommand<Input extends object, View extends object>(
  described: Described<Input, View>,
): OperatorCommand {
  return {
    ...described,
    worksOnDatabase: described.onDatabase !== null,
    async carryOut(input, place, commandContext) {
      // `Fields` makes sure that the fields of the command are those of the input.
      const view = await carryOut(described, input as Input, place, commandContext);
      const look: Look = (call, more) => carryOut(call, more, place, commandContext).catch(() => null);
      return { view, lines: () => described.lines(view, look) };
    },
  };
}

export interface OperatorGroup {
  name: string;
  description: string;
  commands: readonly OperatorCommand[];
}

export type AddCommand = (program: Command, commandContext: CommandContext) => void;

export function addGroup({ name, description, commands }: OperatorGroup): AddCommand {
  return (program, commandContext) => {
    const parent = program.command(name).description(description);
    requireSubcommand(parent);
    for (const command of commands) addTo(parent, command, `${name} ${command.name}`, commandContext);
  };
}

/** A command without subcommands. */
export function addSingle(command: OperatorCommand): AddCommand {
  return (program, commandContext) => addTo(program, command, command.name, commandContext);
}

interface CommonOptions {
  url?: string;
  json?: true;
}

function addTo(
  parent: Command,
  described: OperatorCommand,
  words: string,
  commandContext: CommandContext,
): void {
  const { name, description, fields, route, worksOnDatabase } = described;
  const command = parent.command(name).description(description);
  addFields(command, fields);
  command
    .option(URL_FLAG, worksOnDatabase ? URL_OPTION[1] : URL_REQUIRED)
    .option('--json', 'print the answer as JSON');
  // A command that works only through a server lacks this option: the server itself names the operator.
  const namesOperator = worksOnDatabase && !route.startsWith('GET ');
  if (namesOperator) command.option(...OPERATOR_OPTION);
  command.action(async () => {
    const { url, json, ...options } = command.opts<CommonOptions & Record<string, unknown>>();
    // The option `--operator` of `log` is a field of its input.
    const operator = namesOperator ? (options.operator as string | undefined) : undefined;
    const input = inputOf(fields, command.processedArgs, options);
    if (described.needsOption) requireOption(fields, input);
    const { view, lines } = await described.carryOut(
      input,
      { command: words, url, operator },
      commandContext,
    );
    const texts = json ? [JSON.stringify(view)] : (await lines()).map(printable);
    for (const text of texts) commandContext.print(text);
  });
}

function requireOption(
  fields: Readonly<Record<string, AnyField>>,
  input: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'option');
  if (!names.some((name) => name in input))
    throw new UsageError(`give ${names.map(optionName).join(' or ')}`);
}

/**
 * Refuses a call without a subcommand in one line. Commander calls `help({ error: true })` for it, which would print
 * the whole help as an error.
 */
function requireSubcommand(parent: Command): void {
  const help = parent.help.bind(parent);
  parent.help = ((context?: HelpContext) => {
    if (context?.error !== true) return help(context);
    const names = parent.commands.map((command) => command.name()).join(', ');
    return parent.error(`error: ${parent.name()} needs a subcommand: ${names}`);
  }) as Command['help'];
}
