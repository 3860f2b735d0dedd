/**
 * Runs the suites on correct adapters by `@vitest/runner`, and prints the name, the state, the note and the error
 * of each test as JSON.
 */
import { describe, it, startTests, type Task, type VitestRunner } from '@vitest/runner';
import { expectByAssert, honestAdapters } from '../honest-adapters';

const runner: VitestRunner = {
  config: {
    ...{ root: process.cwd(), setupFiles: [], passWithNoTests: false, maxConcurrency: 1 },
    ...{ testTimeout: 60_000, hookTimeout: 60_000, retry: 0, includeTaskLocation: false, tags: [] },
    ...{ sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' }, chaiConfig: undefined },
    ...{ allowOnly: true, testNamePattern: undefined, tagsFilter: undefined, strictTags: false },
  } as unknown as VitestRunner['config'],
  importFile: () => honestAdapters({ describe, it, expect: expectByAssert }),
};

interface Line {
  name: string;
  state: string | undefined;
  note: string | undefined;
  error: string | undefined;
}

function linesOf(task: Task): Line[] {
  if ('tasks' in task) return task.tasks.flatMap(linesOf);
  const { name, result } = task;
  const { state, note, errors } = (result ?? {}) as Partial<Line> & { errors?: { message: string }[] };
  return [{ name, state, note, error: errors?.[0]?.message }];
}

void startTests(['kits.ts'], runner).then((files) =>
  process.stdout.write(JSON.stringify(files.flatMap(linesOf))),
);
