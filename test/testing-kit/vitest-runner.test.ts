/** The conformance suites also run under Vitest. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundled } from '../support/program';

interface Line {
  name: string;
  state: string;
  note?: string;
  error?: string;
}

async function runVitest(): Promise<Line[]> {
  const file = bundled('test/testing-kit/vitest-runner/kits.ts');
  if (file === null) throw new Error('this test runs under Jest');
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return JSON.parse(stdout) as Line[];
}

describe('the conformance suites under Vitest', () => {
  it('pass for adapters that keep their word, and skip what is declared absent', async () => {
    const lines = await runVitest();
    expect(lines.filter(({ state }) => state !== 'pass' && state !== 'skip')).toEqual([]);
    expect(lines.length).toBeGreaterThan(150);
    const skipped = lines.filter(({ state }) => state === 'skip');
    expect(skipped.length).toBeGreaterThan(10);
    const notes = new Set(skipped.map(({ note }) => note));
    for (const hook of ['another', 'cutOff', 'loseAnswer', 'loseCommit', 'inspect'])
      expect(notes).toContain(`declared absent: ${hook}`);
  });
});
