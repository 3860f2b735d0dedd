import type { ConformanceRunner } from '../../../src/testing/storage-conformance';

export interface Recording {
  passed: string[];
  failed: string[];
}

/** A runner that only collects, so that a suite which fails can be looked at instead of failing the build. */
export function recordingRunner(expect: ConformanceRunner['expect']): {
  runner: ConformanceRunner;
  run(): Promise<Recording>;
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
        // The outermost name is the suite's own and says nothing.
        collected.push({ name: [...path.slice(1), name].join(': '), body });
      },
      expect,
    },
    async run() {
      const recording: Recording = { passed: [], failed: [] };
      for (const { name, body } of collected) {
        const ok = await body().then(
          () => true,
          () => false,
        );
        (ok ? recording.passed : recording.failed).push(name);
      }
      return recording;
    },
  };
}
