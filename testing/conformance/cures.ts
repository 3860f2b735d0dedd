/** Advice about frequent faults of adapters, for the reports of several suites. */
export const CURES = {
  timeLimit:
    'Give each request a time limit that ends with the body, not with the headers, such as `signal: AbortSignal.timeout(ms)` of `fetch`. Watch the signal while you read the body too, as `jsonOf` in docs/facilitator-adapters.md does: Node 20 may forget the signal of `fetch` when it collects garbage. The time limit must be shorter than the time limit of the check.',
  redirect: "With `fetch`, pass `redirect: 'error'`.",
  secret:
    'Write each message in words of your own, in one line. The message of an HTTP client, its error as a cause, and an address may contain the key.',
  spelling: 'Compare addresses in one form: convert both to lower case.',
} as const;
