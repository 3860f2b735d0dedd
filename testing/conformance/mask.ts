/** Hides secrets in the reports of a suite, because many people can read the log of a build. */
import { formsOf, printed, runsWithSecret, tellsSecret } from './secrets';

const SHOWN_CHARACTERS = 4;

/** The texts of the hook `secrets`, which may have a wrong value. */
export function textsOf(secrets: unknown): string[] {
  const texts: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return texts.filter((text) => typeof text === 'string');
}

/**
 * Masks each secret in the text, also where it is escaped or in base64: its first characters and a length remain.
 * Also masks the passwords in URLs.
 */
export function maskedText(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const run of runsWithSecret(text, secrets)) masked = masked.replaceAll(run, nameOf(run));
  for (const form of byLength(formsOf(secrets))) {
    masked = masked.replaceAll(form, nameOf(form));
    // A report cuts off long values, perhaps in the middle of a secret.
    for (let length = form.length - 1; length > 2 * SHOWN_CHARACTERS; length -= 1)
      masked = masked.replaceAll(`${form.slice(0, length)}…`, `${nameOf(form)}…`);
  }
  // The password in a URL, such as that of a database.
  return masked.replaceAll(/(\/\/[^\s/:@"]*:)[^\s/@"]+@/g, '$1…@');
}

/** The same error with its message, its stack and its causes masked. */
export function maskedError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? maskedText(error, secrets) : error;
  const { message, stack, cause } = error;
  define(error, 'message', maskedText(message, secrets));
  if (stack !== undefined) define(error, 'stack', maskedText(stack, secrets));
  if (cause !== undefined) define(error, 'cause', withoutSecrets(cause, secrets));
  return error;
}

/**
 * The cause, if it contains no secret. Otherwise a masked copy of an error without its further fields, or the masked
 * text of another value. An HTTP client may keep the headers of the request in a field of its error, and a test
 * runner prints the fields.
 */
function withoutSecrets(cause: unknown, secrets: readonly string[]): unknown {
  const text = printed(cause);
  if (!tellsSecret(text, secrets) && maskedText(text, secrets) === text) return cause;
  if (!(cause instanceof Error)) return maskedText(text, secrets);
  const copy = new Error(cause.message, { cause: cause.cause });
  define(copy, 'name', cause.name);
  define(copy, 'stack', cause.stack);
  return maskedError(copy, secrets);
}

function define(error: Error, name: 'name' | 'message' | 'stack' | 'cause', value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false });
}

/** The longest first, because a secret may contain another one. */
const byLength = (texts: readonly string[]): string[] =>
  [...texts].sort((one, other) => other.length - one.length);

/** The first characters of the secret and its length. At most a third of the secret is shown. */
function nameOf(secret: string): string {
  const count = Math.min(SHOWN_CHARACTERS, Math.floor(secret.length / 3));
  return `${secret.slice(0, count)}… (a secret of ${secret.length} characters)`;
}
