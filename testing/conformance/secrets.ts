/** A run of characters that may be base64, which HTTP Basic uses for user and password. */
const ENCODED = /[A-Za-z0-9+/_-]{12,}={0,2}/g;

/** Whether the text contains one of the secrets, as it is or in base64. */
export function tellsSecret(text: string, secrets: readonly string[]): boolean {
  const decoded = (text.match(ENCODED) ?? []).map((run) => Buffer.from(run, 'base64').toString('latin1'));
  return [text, ...decoded].some((form) => secrets.some((secret) => form.includes(secret)));
}

/** The messages of an error and of its causes. A logger writes the causes too. */
export function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < MOST_CAUSES; cause = cause.cause)
    messages.push(cause.message);
  return messages.join('\n');
}
const MOST_CAUSES = 10;
