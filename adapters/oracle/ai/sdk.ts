import { isRecord } from '../../../src/domain/options';
import { requireHere } from '../../../src/crypto/require-here';
import { loadDriver } from '../../shared/drivers/load-driver';

/** The part of the package `ai` that this adapter uses. It is the same in versions 6 and 7. */
export interface AiSdk {
  generateText(options: {
    model: unknown;
    system: string;
    prompt: string;
    output: unknown;
    maxRetries: number;
    abortSignal: AbortSignal;
  }): Promise<{ output: unknown; sources?: unknown; totalUsage?: { totalTokens?: number | undefined } }>;
  Output: { object(options: { name: string; schema: unknown }): unknown };
  jsonSchema(schema: object): unknown;
}

export type SdkSource = () => Promise<AiSdk>;

const PACKAGE = 'ai';
/** The oldest Node on which each version of the package runs. */
const OLDEST_NODE: Readonly<Record<number, number>> = { 6: 18, 7: 22 };

/**
 * Checks the version of the installed package, and returns a function that loads the package.
 * @throws Error of one line when the package is not installed, or does not fit this adapter or this Node.
 */
export function installedSdk(factory: string): SdkSource {
  const manifest = loadDriver(PACKAGE, factory, (name) => requireHere(`${name}/package.json`));
  const problem = versionProblem(isRecord(manifest) ? manifest.version : null, process.versions.node);
  if (problem !== null) throw new Error(`${factory} ${problem}`);
  return async () => (await import(PACKAGE)) as AiSdk;
}

/** What is wrong with the installed version of the package. `null` when it can be used. */
export function versionProblem(version: unknown, node: string): string | null {
  const major = Number.parseInt(String(version), 10);
  const oldest = OLDEST_NODE[major];
  if (oldest === undefined)
    return `needs version 6 or 7 of the package "ai", not ${String(version)}: run npm install ai@6`;
  if (Number.parseInt(node, 10) >= oldest) return null;
  return `cannot use version ${major} of the package "ai" on Node ${node}: it wants Node ${oldest}; run npm install ai@6, or update Node`;
}
