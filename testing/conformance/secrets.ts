import { inspect } from 'node:util';

/** A run of characters that may be base64, which HTTP Basic uses for user and password. */
const ENCODED = /[A-Za-z0-9+/_-]{12,}={0,2}/g;

/** Each secret as it is, as JSON escapes it, and as a URL encodes it. */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...new Set(forms)];
}

/** Whether the text contains one of the secrets as it is, escaped in JSON, encoded in a URL, or in base64. */
export function tellsSecret(text: string, secrets: readonly string[]): boolean {
  return formsOf(secrets).some((form) => text.includes(form)) || runsWithSecret(text, secrets).length > 0;
}

/** The runs of base64 in the text that have one of the secrets inside. */
export function runsWithSecret(text: string, secrets: readonly string[]): string[] {
  return (text.match(ENCODED) ?? []).filter((run) => {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    return secrets.some((secret) => secret !== '' && decoded.includes(secret));
  });
}

/**
 * The error as a logger prints it, with the fields and the causes of the error. An HTTP client may keep the headers of
 * the request in a field of a cause.
 */
export const printed = (error: unknown): string =>
  inspect(error, { depth: DEEPEST, breakLength: Infinity, maxStringLength: null, maxArrayLength: null });

const DEEPEST = 6;
