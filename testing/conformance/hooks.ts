/**
 * Wraps the hooks of a test, so that the report of an error in a hook names the hook and does not blame the
 * adapter.
 */
import { ContractNotChecked, described, type Contract } from './failure';
import type { Watch } from './watch';

export interface GuardedBy<Key extends string> {
  contract: Contract<Key>;
  key: Key;
  watch: Watch;
  /** The hooks that open the adapter. Their errors may come from the adapter, so these hooks are not wrapped. */
  opens: readonly string[];
  /** The hooks that are objects with functions. */
  groups: readonly string[];
}

type Hook = (...input: unknown[]) => unknown;

const isHook = (value: unknown): value is Hook => typeof value === 'function';

/**
 * The object that `create` returned, with its hooks wrapped. If a hook throws or rejects, the check fails with a
 * report that names the hook. An error that a call of the adapter threw is passed on unchanged, because the hook
 * may have made this call.
 */
export function guardedHooks<Made extends object, Key extends string>(made: Made, by: GuardedBy<Key>): Made {
  return new Proxy({} as Made, {
    has: (_target, name) => Reflect.has(made, name),
    get(_target, property): unknown {
      const value: unknown = Reflect.get(made, property);
      const name = String(property);
      if (by.opens.includes(name)) return isHook(value) ? value.bind(made) : value;
      return by.groups.includes(name) ? guardedGroup(value, name) : guarded(value, `the hook \`${name}\``);
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

  function guarded(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((one: unknown) => (isHook(one) ? guarded(one, name) : one));
    // A proxy keeps the `length` of the function. The suites learn from it which parameters the hook supports.
    return isHook(value)
      ? new Proxy(value, { apply: (hook, _this, input) => call(hook, input, name) })
      : value;
  }

  function call(hook: Hook, input: unknown[], name: string): unknown {
    const given = (value: unknown): unknown =>
      isHook(value) ? guarded(value, `the function that ${name} returned`) : value;
    try {
      const result = Reflect.apply(hook, made, input);
      return result instanceof Promise
        ? result.then(given, (error: unknown) => refuse(error, name))
        : given(result);
    } catch (error) {
      return refuse(error, name);
    }
  }

  function refuse(error: unknown, name: string): never {
    if (error instanceof ContractNotChecked || by.watch.knows(error)) throw error;
    const { contract, key } = by;
    throw by.watch.report(
      new ContractNotChecked(contract, contract.sentences[key], `${name} threw: ${described(error)}`, error),
    );
  }
}
