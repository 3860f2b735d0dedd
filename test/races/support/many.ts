import type { Answer } from './world';

export function atOnce<T>(count: number, start: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => start(index)));
}

/** Counts answers by status. A refusal counts under its status and code (`409 INSUFFICIENT_BALANCE`). */
export function tally(answers: readonly Answer<object>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = 'code' in body ? `${status} ${String(body.code)}` : String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export function ofStatus<Body>(answers: readonly Answer<Body>[], status: number): Answer<Body>[] {
  return answers.filter((answer) => answer.status === status);
}
