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

/**
 * Loads the drivers that one factory needs.
 * @throws Error of one line that names all packages that are not installed, or the first one that does not load.
 */
export function loadDrivers(names: readonly string[], factory: string, load: Load = requireHere): unknown[] {
  const missing = names.filter((name) => isMissing(name, load));
  if (missing.length > 1) {
    const packages = missing.map((name) => `"${name}"`).join(' and ');
    throw new Error(
      `${factory} needs the packages ${packages}, which are not installed: run npm install ${missing.join(' ')}`,
    );
  }
  return names.map((name) => loadDriver(name, factory, load));
}

function isMissing(name: string, load: Load): boolean {
  try {
    load(name);
    return false;
  } catch (error) {
    return saysMissing(error, name);
  }
}

function saysMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) return false;
  const line = firstLine(error);
  return line.includes(`'${name}'`) || line.includes(`'${name}/`);
}

function explain(name: string, factory: string, error: unknown): string {
  if (saysMissing(error, name)) {
    return `${factory} needs the package "${name}", which is not installed: run npm install ${name}`;
  }
  return `${factory} cannot load the package "${name}" (${reasonOf(error)}): run npm rebuild ${name}`;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** The first line, without the words that only introduce the lines after it, such as `Tried:`. */
function reasonOf(error: unknown): string {
  const line = firstLine(error);
  return line.replace(/\.\s+[^.]*:\s*$/, '').replace(/:\s*$/, '');
}
