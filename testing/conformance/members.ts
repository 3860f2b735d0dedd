/** Which members of a port an adapter lacks, so that a suite can name them before it calls any. */
import { shown } from './failure';

/** What a member has to be. A member that may be left out has `?`. */
export type MemberKind = 'a method' | 'a text' | 'a method?' | 'a value?';

/** All members of a port. The compiler refuses a member that is left out here. */
export type Members<Port> = { readonly [Name in keyof Port]-?: MemberKind };

/** One line for each member that is missing or is something else. `path` names the object in the lines. */
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
    return [`\`${path}.${name}\` must be ${kind.replace('?', '')}; came: ${cameOf(member)}`];
  });
}

/**
 * The faults of the object that `create()` returned. If it has none, the faults of the adapter in it,
 * `made[name]`.
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
  return target.length > 0 ? target : faultsOf(name, made[name], members);
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
