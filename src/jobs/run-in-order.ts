/**
 * Runs the tasks one after another. A failure does not keep the next tasks from running. At the end, the promise
 * rejects with the first failure.
 */
export async function runInOrder(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
