import type { ConformanceRunner } from '../../../testing/storage-conformance';

export interface Recording {
  passed: string[];
  failed: string[];
  reports: Map<string, string>;
}

/** A suite that should fail must not fail the build, so the failures are recorded. By default all tests run. */
export function recordingRunner(expect: ConformanceRunner['expect']): {
  runner: ConformanceRunner;
  run(only?: string | ((name: string, index: number) => boolean)): Promise<Recording>;
} {
  const path: string[] = [];
  const collected: { name: string; body: () => Promise<void> }[] = [];
  return {
    runner: {
      describe(name, body) {
        path.push(name);
        body();
        path.pop();
      },
      it(name, body) {
        // The outermost name is the name of the suite.
        collected.push({ name: [...path.slice(1), name].join(': '), body });
      },
      expect,
    },
    async run(only = '') {
      const recording: Recording = { passed: [], failed: [], reports: new Map() };
      const isChosen = typeof only === 'string' ? (name: string) => name.includes(only) : only;
      for (const { name, body } of collected.filter((one, index) => isChosen(one.name, index))) {
        try {
          await body();
          recording.passed.push(name);
        } catch (error) {
          recording.failed.push(name);
          recording.reports.set(name, error instanceof Error ? error.message : String(error));
        }
      }
      return recording;
    },
  };
}
