/**
 * The common part of all conformance suites: a test cites sentences of the contract, has a time limit, and
 * reports what it observed.
 */
import { createCheck, type Check } from './check';
import { ContractBroken, ContractNotChecked, shown } from './failure';
import { createWatch, withinLimit, type Watch } from './watch';
import type { Cited, ConformanceOptions, ConformanceRunner, Contract } from './runner';

export const DEFAULT_TIME_LIMIT_MS = 20_000;

export interface Kit<Context, Key extends string> {
  describe(name: string, body: () => void): void;
  test(
    name: string,
    cited: Cited<Key>,
    body: (context: Context & { check: Check<Key> }) => Promise<void>,
  ): void;
}

export interface KitDefinition<Made, Context, Key extends string> extends ConformanceOptions {
  contract: Contract<Key>;
  /** Makes the adapter under test. */
  create(): Promise<Made>;
  /** Gives the test its context, and ends it afterwards. */
  open(made: Made, watch: Watch): { context: Context; end(): Promise<void> };
}

export function createKit<Made, Context, Key extends string>(
  runner: ConformanceRunner,
  definition: KitDefinition<Made, Context, Key>,
): Kit<Context, Key> {
  const { contract, timeLimitMs = DEFAULT_TIME_LIMIT_MS } = definition;

  async function run(
    key: Key,
    body: (context: Context & { check: Check<Key> }) => Promise<void>,
  ): Promise<void> {
    const broken = (seen: string, cause?: unknown): Error =>
      new ContractBroken(contract.port, contract.sentences[key], seen, cause);
    const limited = <T>(what: string, work: Promise<T>, open: () => readonly string[] = () => []) =>
      withinLimit(work, timeLimitMs, () => {
        const waiting = open();
        const calls = waiting.length === 0 ? '' : `; not answered: ${waiting.slice(0, 10).join(', ')}`;
        return broken(`Seen: ${what} has not ended after ${timeLimitMs} ms${calls}`);
      });

    const made = await limited('making the adapter', definition.create());
    const watch = createWatch();
    const { context, end } = definition.open(made, watch);
    const check = createCheck((actual) => runner.expect(actual), contract, key);
    const outcome = await limited('the check', body({ ...context, check }), watch.pending).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    watch.stop();
    const ended = limited('letting the adapter go', end());
    if (outcome === null) return ended;
    await ended.catch(() => undefined);
    throw isReport(outcome.error) ? outcome.error : broken(unexpected(outcome.error), outcome.error);
  }

  return {
    describe(name, body) {
      runner.describe(name, body);
    },
    test(name, cited, body) {
      const key = typeof cited === 'string' ? cited : cited[0];
      // Making, checking and destroying the adapter may each take `timeLimitMs`. The runner gets four times
      // that, so our message comes before its own.
      runner.it(name, () => run(key, body), 4 * timeLimitMs);
    },
  };
}

const isReport = (error: unknown): boolean =>
  error instanceof ContractBroken || error instanceof ContractNotChecked;

function unexpected(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? ` (${shown(error.code)})` : '';
  return `Seen: an unexpected rejection: ${shown(error)}${code}`;
}
