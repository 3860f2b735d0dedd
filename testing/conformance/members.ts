/** Which members of a port an adapter lacks, so that a suite can name them before it calls any. */
import { nearestName } from '../../src/domain/options';
import { shown } from './failure';

/** What a member has to be. `?` marks an optional member. */
export type MemberKind = 'a method' | 'a text' | 'a value' | 'a method?' | 'a value?';

/** All members of a port. If a list lacks a member, it does not compile. */
export type Members<Port> = { readonly [Name in keyof Port]-?: MemberKind };

/** One line for each member that is missing or has the wrong kind. `path` names the object in these lines. */
export function faultsOf(
  path: string,
  value: unknown,
  members: Readonly<Record<string, MemberKind>>,
): string[] {
  if (typeof value !== 'object' || value === null)
    return [`\`${path}\` must be an object with ${Object.keys(members).join(', ')}; came: ${cameOf(value)}`];
  return Object.entries(members).flatMap(([name, kind]) => {
    const member: unknown = Reflect.get(value, name);
    if (fits(member, kind)) return [];
    const misspelt = member === undefined ? misspeltAs(name, value, members) : null;
    const meant = misspelt === null ? '' : `. It has \`${misspelt}\`: is that \`${name}\`?`;
    return [`\`${path}.${name}\` must be ${kind.replace('?', '')}; came: ${cameOf(member)}${meant}`];
  });
}

/** The member of `value` that is not in `known` and whose name is most like `name`. */
const misspeltAs = (name: string, value: object, known: object): string | null =>
  nearestName(
    name,
    Object.keys(value).filter((other) => !(other in known)),
  );

/**
 * The unknown names in what `create()` returned that are like the name of a missing hook, each with that name. Other
 * unknown names are allowed, because they may be helpers of the test. The members of an instance of a class are not
 * checked.
 */
export function misspeltHooks(made: unknown, hooks: object): ReadonlyMap<string, string> {
  if (typeof made !== 'object' || made === null) return new Map();
  const prototype: unknown = Object.getPrototypeOf(made);
  if (prototype !== Object.prototype && prototype !== null) return new Map();
  const missing = Object.keys(hooks).filter((name) => Reflect.get(made, name) === undefined);
  return new Map(
    Object.keys(made).flatMap((name): [string, string][] => {
      const meant = name in hooks ? null : nearestName(name, missing);
      return meant === null ? [] : [[name, meant]];
    }),
  );
}

/**
 * The faults of the object that `create()` returned. If it has none, the faults of the adapter in it, `made[name]`.
 */
export function faultsOfTarget<Name extends string>(
  made: { readonly [Adapter in Name]: unknown },
  name: Name,
  members: Readonly<Record<string, MemberKind>>,
  others: Readonly<Record<string, MemberKind>> = {},
): string[] {
  const inTarget = { [name]: 'a value?', ...others, destroy: 'a method' } as const;
  if (isTheAdapterItself(made, name, members)) {
    const names = Object.keys(inTarget).join(', ');
    return [`\`create()\` must return an object { ${names} }; it returned the ${name} itself`];
  }
  const target = faultsOf('create()', made, inTarget);
  if (target.length > 0) return target;
  return faultsOf(name, made[name], members);
}

/**
 * Whether `create()` has returned the adapter in place of an object that contains it. This mistake is likely,
 * and a list of missing members would not explain it.
 */
function isTheAdapterItself(
  made: unknown,
  name: string,
  members: Readonly<Record<string, MemberKind>>,
): boolean {
  return faultsOf(name, made, members).length === 0 && !(name in Object(made));
}

function fits(member: unknown, kind: MemberKind): boolean {
  if (kind.endsWith('?') && member === undefined) return true;
  if (kind.startsWith('a method')) return typeof member === 'function';
  if (kind === 'a value') return member !== undefined;
  return kind === 'a value?' || typeof member === 'string';
}

const LONGEST = 100;

/** The value that came in place of the expected one, in a few words. */
export function cameOf(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const text = shown(value);
  if (value === undefined || value === null) return String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
