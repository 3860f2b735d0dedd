/** Settings are environment variables. A person who gives one as an option is told the name of the variable. */
import { readSettings } from '../examples/standalone/settings';
import { isSecretName } from './secrets';

/** Options under which other programs know a setting. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  p: 'PORT',
  hostname: 'HOST',
  db: 'DATABASE_URL',
  database: 'DATABASE_URL',
  token: 'ADMIN_TOKEN',
};

/** For `serve`, the hint may name any setting. For the commands that use a database or a server, only these. */
const OF_OTHER_COMMANDS = ['DATABASE_URL', 'ADMIN_TOKEN'];

/**
 * Adds the variable to the message about an unknown option, such as `--port 3001`. Leaves the value of `--name=value`
 * out of the message, because it may be secret.
 */
export function withVariable(message: string, args: readonly string[]): string {
  const flag = /^error: unknown option '(-[^]*?)'(?=\n|$)/.exec(message)?.[1];
  if (flag === undefined) return message;
  const [option = '', inFlag] = flag.split(/=([^]*)/, 2);
  // Commander knows the option, but not with a value.
  if (inFlag !== undefined && message.includes(`(Did you mean ${option}?)`))
    return `error: option '${option}' takes no value\n`;
  const shown = message.replace(flag, () => option);
  const command = args.find((arg) => !arg.startsWith('-'));
  const name = variableOf(option.replace(/^-+/, '').toLowerCase());
  if (name === undefined || !isUsedBy(command, name)) return shown;
  const value = inFlag ?? args[args.indexOf(flag) + 1] ?? '';
  return `${shown.trimEnd()}; set the environment variable ${exampleOf(name, value)} instead\n`;
}

function variableOf(option: string): string | undefined {
  return OTHER_NAMES[option] ?? readSettings({ [option]: 'x' }).misspelt[0]?.meant;
}

function isUsedBy(command: string | undefined, name: string): boolean {
  return command === 'serve' || (command !== 'init' && OF_OTHER_COMMANDS.includes(name));
}

function exampleOf(name: string, value: string): string {
  if (name === 'DATABASE_URL') return `${name} (sqlite:<file> or postgres://…)`;
  return isSecretName(name) || !/^[\w.,:/]+$/.test(value) ? name : `${name}=${value}`;
}
