/**
 * The common part of all conformance suites: a test cites sentences of the contract, has a time limit, and
 * reports what it observed.
 */
import { restoreMachineClock } from './machine-clock';
import { createCheck, misspeltAs, type Check, type Tally } from './check';
import {
  ContractBroken,
  ContractIncomplete,
  ContractNotChecked,
  described,
  FIRST_CHECK,
  HOOKS_CHECK,
  insteadOf,
  type Contract,
} from './failure';
import { guardedHooks } from './hooks';
import { maskedError, textsOf } from './mask';
import { faultsOfHooks, type HookKind } from './hook-values';
import { misspeltHooks } from './members';
import { skipIfPossible } from './skip';
import { createWatch, withinLimit, type Watch } from './watch';
import type { Cited, ConformanceOptions, ConformanceRunner } from './runner';

export const DEFAULT_TIME_LIMIT_MS = 20_000;

export interface Kit<Context, Key extends string> {
  describe(name: string, body: () => void): void;
  test(
    name: string,
    cited: Cited<Key>,
    body: (context: Context & { check: Check<Key> }) => Promise<void>,
  ): void;
  /** The first checks of a suite: they list all members of the port that the adapter lacks, and the misspelt hooks. */
  testMembers(cited: Key): void;
}

export interface KitDefinition<Made, Context, Key extends string> extends ConformanceOptions {
  contract: Contract<Key>;
  /** The sentence that is broken when a call of the adapter never ends. Default: the first one that the check cites. */
  endless?: Key;
  /**
   * The sentence that the report cites when `method` rejects unexpectedly. Default: the first one that the check
   * cites.
   */
  rejected?(method: string, cited: Key): Key;
  /** Makes the adapter under test. */
  create(): Promise<Made>;
  /** The members that the adapter lacks, one line each. A check of an adapter that lacks one fails at once. */
  faults(made: Made): string[];
  /** What each hook has to be. */
  hooks: Readonly<Record<string, HookKind>>;
  /** A mistake in a hook, which is no fault of the adapter. `null`: there is none. */
  slip?(made: Made): string | null;
  /**
   * Missing members that the suite finds only with calls, such as the repositories of a transaction. The
   * first check lists them. Another check fails when it calls one. `made` may lack any member.
   */
  innerFaults?(made: Made): Promise<string[]>;
  /** The hooks that open the adapter, so that their errors may be the adapter's. */
  opens?: readonly string[];
  /** The hooks that are objects with functions. */
  groups?: readonly string[];
  /** Makes the context of a test. After the test, the kit calls `end`, which destroys the adapter. */
  open(made: Made, watch: Watch): { context: Context; end(): Promise<void> };
}

/** The fields that the kit needs of what `create` returns. The reports show none of the `secrets`. */
interface MadeAdapter {
  secrets?: readonly string[] | false | undefined;
  destroy(): Promise<void>;
}

type Body<Context, Key extends string> = (context: Context & { check: Check<Key> }) => Promise<void>;

export function createKit<Made extends MadeAdapter, Context, Key extends string>(
  runner: ConformanceRunner,
  definition: KitDefinition<Made, Context, Key>,
): Kit<Context, Key> {
  const { contract, timeLimitMs = DEFAULT_TIME_LIMIT_MS } = definition;
  // The runner's limit is longer than all steps of a test together, so the report of the kit comes first.
  const runnerLimitMs = 4 * timeLimitMs;

  function limited<T>(what: string, work: Promise<T>, key: Key, watch?: Watch): Promise<T> {
    return withinLimit(work, timeLimitMs, () => {
      const waiting = watch?.pending() ?? [];
      const seen = notEnded(what, timeLimitMs, waiting);
      const broken = waiting.length === 0 ? key : (definition.endless ?? key);
      return new ContractBroken(contract, broken, { seen, cure: cureOfSlowness(timeLimitMs, watch) });
    });
  }

  /** Makes the adapter. If `create` throws, the report says that the contract was not checked. */
  async function make(key: Key): Promise<Made> {
    const sentence = contract.sentences[key];
    const making = (async () => definition.create())();
    return limited('making the adapter', making, key).catch((error: unknown) => {
      if (isReport(error)) throw error;
      const advice = `\`create\` failed: ${described(error)}`;
      // `create` has failed, so the `secrets` are unknown. Masking still hides a password in a URL.
      throw maskedError(new ContractNotChecked(contract, sentence, advice, error), []);
    });
  }

  async function run(key: Key, body: Body<Context, Key>, given: readonly unknown[]): Promise<void> {
    const made = await make(key);
    await runOn(made, key, body, given).catch((error: unknown) => {
      throw maskedError(error, textsOf(made?.secrets));
    });
  }

  async function runOn(
    made: Made,
    key: Key,
    body: Body<Context, Key>,
    given: readonly unknown[],
  ): Promise<void> {
    await refuseFaults(made, key);
    const watch = createWatch();
    const { opens = [], groups = [] } = definition;
    const hooks = guardedHooks(made, { contract, key, watch, opens, groups, kinds: definition.hooks });
    const { context, end } = definition.open(hooks, watch);
    const tally: Tally = { looked: false, absent: [] };
    const misspelt = misspeltHooks(made, definition.hooks);
    const check = createCheck((actual) => runner.expect(actual), contract, key, tally, misspelt);
    const work = Promise.race([body({ ...context, check }), watch.reported]);
    const outcome = await limited('the check', work, key, watch).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    watch.stop();
    // A call that never ends leaves the clock that the check has set.
    restoreMachineClock();
    const ended = limited('destroying the adapter', end(), key);
    if (outcome === null) {
      await ended;
      if (!tally.looked && tally.absent.length > 0) skipIfPossible(given, tally.absent);
      return;
    }
    await ended.catch(() => undefined);
    const { error } = outcome;
    throw isReport(error) ? error : unexpected(definition, key, error, watch.lastCalls());
  }

  async function checkMembers(key: Key): Promise<void> {
    const sentence = contract.sentences[key];
    const made = await make(key);
    const faults = definition.faults(made);
    const inner = definition.innerFaults?.(made) ?? Promise.resolve([]);
    faults.push(...(await limited('looking at the members', inner, key)));
    if (faults.length === 0) await refuseSlip(made, sentence);
    await letGo(made);
    if (faults.length > 0) throw ContractIncomplete.all(contract, faults);
  }

  async function checkHooks(key: Key): Promise<void> {
    const made = await make(key);
    await refuseIncomplete(made);
    const misspelt = misspeltHooks(made, definition.hooks);
    const faults = [
      ...[...misspelt].map(([written, meant]) => misspeltAs(written, meant)),
      ...faultsOfHooks(made, definition.hooks),
    ];
    if (faults.length === 0) await refuseSlip(made, contract.sentences[key]);
    await letGo(made);
    if (faults.length > 0)
      throw maskedError(ContractIncomplete.hooks(contract, faults), textsOf(made.secrets));
  }

  /** Without a whole adapter, or with a wrong hook, a check would blame the adapter for the wrong thing. */
  async function refuseFaults(made: Made, key: Key): Promise<void> {
    await refuseIncomplete(made);
    const sentence = contract.sentences[key];
    const [wrong] = faultsOfHooks(made, definition.hooks);
    if (wrong === undefined) return refuseSlip(made, sentence);
    await letGo(made);
    throw new ContractNotChecked(contract, sentence, `The hook ${wrong}`);
  }

  async function refuseIncomplete(made: Made): Promise<void> {
    const [fault] = definition.faults(made);
    if (fault === undefined) return;
    await letGo(made);
    throw ContractIncomplete.first(contract, fault);
  }

  async function refuseSlip(made: Made, sentence: string): Promise<void> {
    const slip = definition.slip?.(made) ?? null;
    if (slip === null) return;
    await letGo(made);
    throw new ContractNotChecked(contract, sentence, slip);
  }

  return {
    describe(name, body) {
      runner.describe(name, body);
    },
    test(name, cited, body) {
      const key = typeof cited === 'string' ? cited : cited[0];
      // Jest would pass a callback to a named parameter and wait for it, so the parameters are a rest
      // parameter.
      runner.it(name, (...given: unknown[]) => run(key, body, given), runnerLimitMs);
    },
    testMembers(cited) {
      runner.it(FIRST_CHECK, () => checkMembers(cited), runnerLimitMs);
      runner.it(HOOKS_CHECK, () => checkHooks(cited), runnerLimitMs);
    },
  };
}

/** Destroys the adapter, and ignores errors. */
async function letGo(made: { destroy(): Promise<void> } | undefined): Promise<void> {
  try {
    await made?.destroy();
  } catch {
    // An adapter that lacks members may not be able to destroy itself.
  }
}

const isReport = (error: unknown): boolean =>
  error instanceof ContractBroken ||
  error instanceof ContractNotChecked ||
  error instanceof ContractIncomplete;

function notEnded(what: string, limitMs: number, waiting: readonly string[]): string {
  const seen = `${what} has not ended after ${limitMs} ms`;
  if (waiting.length === 0) return seen;
  const calls = [...new Set(waiting)].slice(0, 10).join(', ');
  return insteadOf(
    `${seen}; not answered: ${calls}`,
    'an answer, or a rejection by a time limit of the adapter',
  );
}

/**
 * Advice for an adapter that is only slow. `undefined` if no call has ended, or if one call has waited for more
 * than half of the time limit.
 */
function cureOfSlowness(limitMs: number, watch: Watch | undefined): string | undefined {
  if (watch === undefined || watch.ended() === 0 || watch.waitingMs() > limitMs / 2) return undefined;
  const calls = watch.ended() === 1 ? 'one call has' : `${watch.ended()} calls have`;
  return `Raise \`timeLimitMs\`, an option next to \`create\`, if your adapter is only slow: ${calls} ended in these ${limitMs} ms.`;
}

/** The report of an unexpected error that ended a check. It names the last call that rejected, if there is one. */
function unexpected<Key extends string>(
  { contract, rejected }: Pick<KitDefinition<never, never, Key>, 'contract' | 'rejected'>,
  key: Key,
  error: unknown,
  lastCalls: readonly string[],
): ContractBroken<Key> {
  const after = lastCalls.length === 0 ? '' : `\nThe last calls, the newest first: ${lastCalls.join('; ')}`;
  const method = lastCalls.map((one) => /^`([^`]+)` (?:rejected|threw)/.exec(one)?.[1]).find(Boolean);
  const seen = method === undefined ? 'an unexpected error' : `an unexpected rejection of \`${method}\``;
  const sentence = method === undefined ? undefined : rejected?.(method, key);
  const cure = sentence === undefined ? null : undefined;
  return new ContractBroken(
    contract,
    sentence ?? key,
    { seen: insteadOf(`${seen}: ${described(error)}`, 'an answer') + after, cure },
    error,
  );
}
