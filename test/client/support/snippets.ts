import { transformSync } from 'esbuild';
import type { Snippet } from '../../documents/snippets';

export async function runSnippet(
  { code }: Pick<Snippet, 'code'>,
  modules: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>>,
): Promise<unknown[][]> {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm', target: 'es2022' });
  const body = script
    .replace(
      /^import (\{[^}]*\}) from "([^"]+)";$/gm,
      (_import, names: string, from: string) => `const ${names.replace(/ as /g, ': ')} = modules["${from}"];`,
    )
    .replace(/^import (\w+) from "([^"]+)";$/gm, 'const { default: $1 } = modules["$2"];');
  const logged: unknown[][] = [];
  const note = (...values: unknown[]): void => void logged.push(values);
  const AsyncFunction = (async () => undefined).constructor as new (
    ...source: string[]
  ) => (...given: unknown[]) => Promise<void>;
  const run = new AsyncFunction('modules', 'process', 'console', body);
  await run(modules, { env: environment }, { log: note, warn: note });
  return logged;
}
