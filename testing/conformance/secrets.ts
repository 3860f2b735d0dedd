/** A run of characters that may be base64, which HTTP Basic uses for user and password. */
const ENCODED = /[A-Za-z0-9+/_-]{12,}={0,2}/g;

/** The texts that tell one of the secrets: it may stand in JSON or in an address. */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...new Set(forms)];
}

/** Whether the text contains one of the secrets, as it is, in an address or in base64. */
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

/** The messages of an error and of its causes. A logger writes the causes too. */
export function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < MOST_CAUSES; cause = cause.cause)
    messages.push(cause.message);
  return messages.join('\n');
}
const MOST_CAUSES = 10;
