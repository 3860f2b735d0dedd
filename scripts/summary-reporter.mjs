/**
 * At the end of a test run, prints the tests that were left out because this machine lacks something, so that a
 * skipped test is not taken for a passed one. Then it prints the line `N passed, N failed`.
 */
import { writeSync } from 'node:fs';

const NEEDS = /\[needs ([a-z-]+)\]/;

export default class SummaryReporter {
  onRunComplete(_contexts, results) {
    const skipped = new Map();
    for (const file of results.testResults) {
      for (const test of file.testResults) {
        if (test.status !== 'pending' && test.status !== 'todo') continue;
        const title = [...test.ancestorTitles, test.title].join(' ');
        const reason = NEEDS.exec(title)?.[1] ?? 'no reason given';
        skipped.set(reason, [...(skipped.get(reason) ?? []), title]);
      }
    }
    const lines = [...skipped].flatMap(([reason, titles]) => [
      `Skipped, ${reason === 'no reason given' ? reason : `this machine has no ${reason}`} (${titles.length}):`,
      ...titles.map((title) => `  ${title}`),
    ]);
    // A file that fails to load has no tests of its own, but counts as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    lines.push(`${results.numPassedTests} passed, ${failed} failed`);
    // Jest prints its own summary after all reporters, so the line is written at the exit.
    process.once('exit', () => writeSync(1, `\n${lines.join('\n')}\n`));
  }
}
