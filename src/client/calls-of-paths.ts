/** Functions of the client that are made from a method and a path. So each of them needs few bytes in a bundle. */
import type { Call, PlainInputs } from './call';
import type { Answer, Body, MethodOf, Path, Query } from './operations';
import type { CallOptions } from './options';

type Name = string | number;
type Readable = { [P in Path]: 'get' extends MethodOf<P> ? P : never }[Path];
type Read<P extends Path> = Answer<P, Extract<'get', MethodOf<P>>>;

/** What the part of the path names: a wallet, a consumer, a market or the number of a row. */
type Subject<P extends Path> = P extends `${string}{address}${string}` | `${string}{name}${string}`
  ? string
  : P extends `/${'admin' | 'public'}/markets/${string}`
    ? Name
    : number;

/** `Call` for any path. The functions below have the exact types. */
type AnyCall = (method: string, path: string, inputs: PlainInputs, options?: CallOptions) => Promise<never>;

const parts = (subject: Name) => ({ id: subject, address: subject, name: subject });

/** A call that only reads, without a query. */
export const reading =
  <P extends Readable>(call: Call, path: P) =>
  (options?: CallOptions): Promise<Read<P>> =>
    (call as AnyCall)('get', path, {}, options);

/** A list. */
export const listing =
  <P extends Readable>(call: Call, path: P) =>
  (query?: Query<P>, options?: CallOptions): Promise<Read<P>> =>
    (call as AnyCall)('get', path, { query }, options);

/** A call that names its subject and nothing else. */
export const naming =
  <P extends Path, M extends MethodOf<P>>(call: Call, method: M, path: P) =>
  (subject: Subject<P>, options?: CallOptions): Promise<Answer<P, M>> =>
    (call as AnyCall)(method, path, { path: parts(subject) }, options);

type Rest<Value> = object extends Value
  ? [body?: Value, options?: CallOptions]
  : [body: Value, options?: CallOptions];

/**
 * A list about one subject, or a call with a body about one subject. With `field`, the caller gives the value of this
 * field, which is the only field of the body.
 */
export function asking<P extends Readable>(
  call: Call,
  method: 'get',
  path: P,
): (subject: Subject<P>, query?: Query<P>, options?: CallOptions) => Promise<Read<P>>;
export function asking<P extends Path, M extends MethodOf<P>>(
  call: Call,
  method: M,
  path: P,
): (subject: Subject<P>, ...rest: Rest<Body<P, M>>) => Promise<Answer<P, M>>;
export function asking<P extends Path, M extends MethodOf<P>, Field extends keyof Body<P, M> & string>(
  call: Call,
  method: M,
  path: P,
  field: Field,
): (subject: Subject<P>, value: Body<P, M>[Field], options?: CallOptions) => Promise<Answer<P, M>>;
export function asking(call: Call, method: string, path: string, field?: string) {
  return (subject: Name, value: unknown, options?: CallOptions) => {
    const given = field ? { [field]: value } : (value ?? {});
    const inputs = { path: parts(subject), [method === 'get' ? 'query' : 'body']: given };
    return (call as AnyCall)(method, path, inputs, options);
  };
}
