/**
 * Wraps the hooks of a test, so that the report of an error in a hook names the hook and does not blame the
 * adapter.
 */
import { ContractNotChecked, described, type Contract } from './failure';
import { faultOfResult, type HookKind } from './hook-values';
import type { Watch } from './watch';

export interface GuardedBy<Key extends string> {
  contract: Contract<Key>;
  key: Key;
  watch: Watch;
  /** The hooks that open the adapter. Their errors may come from the adapter, so these hooks are not wrapped. */
  opens: readonly string[];
  /** The hooks that are objects with functions. */
  groups: readonly string[];
  kinds: Readonly<Record<string, HookKind>>;
}

type Hook = (...input: unknown[]) => unknown;

/** Jest gives tests a `Promise` of their own, so `instanceof` does not recognise each promise. */
const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

const isHook = (value: unknown): value is Hook => typeof value === 'function';

/**
 * The object that `create` returned, with its hooks wrapped. If a hook throws or rejects, the check fails with a
 * report that names the hook, and also if it returns a value that does not fit. An error that a call of the adapter threw is passed on unchanged, because the hook
 * may have made this call.
 */
export function guardedHooks<Made extends object, Key extends string>(made: Made, by: GuardedBy<Key>): Made {
  return new Proxy({} as Made, {
    has: (_target, name) => Reflect.has(made, name),
    get(_target, property): unknown {
      const value: unknown = Reflect.get(made, property);
      const name = String(property);
      if (by.opens.includes(name)) return isHook(value) ? value.bind(made) : value;
      return by.groups.includes(name)
        ? guardedGroup(value, name)
        : guarded(value, `the hook \`${name}\``, by.kinds[name]?.result);
    },
  });

  function guardedGroup(value: unknown, name: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy({} as object, {
      get(_target, property): unknown {
        const member: unknown = Reflect.get(value, property);
        return guarded(
          isHook(member) ? member.bind(value) : member,
          `the hook \`${name}.${String(property)}\``,
        );
      },
    });
  }

  function guarded(value: unknown, name: string, result?: HookKind['result']): unknown {
    if (Array.isArray(value))
      return value.map((one: unknown) => (isHook(one) ? guarded(one, name, result) : one));
    // A proxy keeps the `length` of the function. The suites learn from it which parameters the hook supports.
    return isHook(value)
      ? new Proxy(value, { apply: (hook, _this, input) => call(hook, input, name, result) })
      : value;
  }

  function call(hook: Hook, input: unknown[], name: string, wanted: HookKind['result']): unknown {
    const given = (value: unknown): unknown => {
      const fault = faultOfResult(name, value, wanted);
      if (fault !== null) throw notChecked(fault);
      return isHook(value) ? guarded(value, `the function that ${name} returned`) : value;
    };
    try {
      const result = Reflect.apply(hook, made, input);
      return isPromise(result)
        ? Promise.resolve(result).then(given, (error: unknown) => refuse(error, name))
        : given(result);
    } catch (error) {
      return refuse(error, name);
    }
  }

  function refuse(error: unknown, name: string): never {
    if (error instanceof ContractNotChecked || by.watch.knows(error)) throw error;
    throw notChecked(`${name} threw: ${described(error)}`, error);
  }

  function notChecked(advice: string, cause?: unknown): Error {
    const { contract, key } = by;
    return by.watch.report(new ContractNotChecked(contract, contract.sentences[key], advice, cause));
  }
}
