/** Checks the results that a test gives to a fake, so that a malformed result throws where the test sets it. */
import { kindOf } from '../src/domain/options';

/** The statuses of a result, each with the fields that it must have. */
export type StatusesOf<Result extends { status: string }> = {
  readonly [Status in Result['status']]: readonly Exclude<
    keyof Extract<Result, { status: Status }>,
    'status'
  >[];
};

/**
 * `call` is the call of the test, for the message.
 *
 * @throws TypeError if the result is no object, has an unknown status or lacks a field.
 */
export function requireResult<Result extends { status: string }>(
  call: string,
  result: Result,
  statuses: StatusesOf<Result>,
): void {
  const given: unknown = result;
  const names = Object.keys(statuses).join(', ');
  if (kindOf(given) !== 'an object')
    throw new TypeError(
      `${call}: the result must be an object with a status (${names}), got ${inWords(given)}`,
    );
  const { status } = result as { status: unknown };
  if (typeof status !== 'string' || !Object.hasOwn(statuses, status))
    throw new TypeError(`${call}: the status must be one of ${names}, got ${inWords(status)}`);
  const missing = statuses[status as Result['status']].find(
    (field) => Reflect.get(result, field) === undefined,
  );
  if (missing !== undefined)
    throw new TypeError(`${call}: a result with the status ${status} needs ${String(missing)}`);
}

const inWords = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
