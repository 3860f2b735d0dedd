import { requireHere } from '../../../src/crypto/require-here';

export type Load = (name: string) => unknown;

/**
 * Loads an optional driver when the factory is called, so that importing an adapter needs no driver.
 * @throws Error of one line that names the package and the npm command that installs or rebuilds it.
 */
export function loadDriver(name: string, factory: string, load: Load = requireHere): unknown {
  try {
    return load(name);
  } catch (error) {
    throw new Error(explain(name, factory, error), { cause: error });
  }
}

function explain(name: string, factory: string, error: unknown): string {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const missing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
  if (missing && (reason.includes(`'${name}'`) || reason.includes(`'${name}/`))) {
    return `${factory} needs the package "${name}", which is not installed: run npm install ${name}`;
  }
  return `${factory} cannot load the package "${name}" (${reason}): run npm rebuild ${name}`;
}
