/** Replaces secrets in log lines and messages. */

const SECRETS: [pattern: RegExp, replacement: string][] = [
  [/pmk_[0-9A-Za-z]+/g, 'pmk_[redacted]'],
  // A signature has 65 bytes in hex.
  [/0x[0-9a-fA-F]{130}/g, '[redacted signature]'],
  [/\/\/[^\s/@"\\]+@/g, '//[redacted]@'],
];

/** Replaces texts that look like secrets, and the given secrets. */
export function scrub(line: string, secrets: readonly string[] = []): string {
  return withoutSecrets(secrets)(line);
}

export function withoutSecrets(secrets: readonly string[]): (line: string) => string {
  const given = secrets.map((secret): [RegExp, string] => [
    new RegExp(secret.replace(/[^0-9A-Za-z]/g, '\\$&'), 'gi'),
    '[redacted]',
  ]);
  const all = [...SECRETS, ...given];
  return (line) => all.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** The text without percent-encoding. If it is not well encoded, the text itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
