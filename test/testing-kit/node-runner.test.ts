/** The testing kit and the conformance suites also run under Node's own test runner. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { bundled } from '../support/program';
import { madeOnce } from '../support/run-folder';

async function runNode(
  more: Record<string, string> = {},
  script = 'test/testing-kit/node-runner/kits.ts',
): Promise<{ code: number | null; report: string }> {
  const file = bundled(script);
  if (file === null) throw new Error('this test runs under Jest');
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...environment } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter', 'tap', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...environment, ...more },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const report = await text(child.stdout);
  return { code: await ended, report };
}

const countOf = (what: string, report: string): number =>
  Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(report)?.[1]);

const PORTS = ['storage', 'oracle', 'facilitator', 'payout', 'rate-limit'];

it('the example of docs/testing.md runs under it, with the line that the page gives', async () => {
  const page = readFileSync('docs/testing.md', 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(page) ?? [];
  const [, line = ''] = /^- `node:test`: `(import .*)`$/m.exec(page) ?? [];
  const file = madeOnce('example-of-testing.ts', (path) => writeFileSync(path, `${line}\n${example}`));
  const { code, report } = await runNode({}, relative(process.cwd(), file ?? ''));
  expect({ code, passed: countOf('pass', report), report }).toEqual({ code: 0, passed: 1, report });
});

describe('the conformance suites under node:test', () => {
  it('pass for adapters that keep their word', async () => {
    const { code, report } = await runNode();
    expect({ code, failed: countOf('fail', report) }).toEqual({ code: 0, failed: 0 });
    expect(countOf('pass', report)).toBeGreaterThan(150);
    expect(countOf('skipped', report)).toBeGreaterThan(10);
    expect(report).toContain('# SKIP declared absent: another');
    for (const port of PORTS) expect(report).toContain(`${port} conformance`);
  });

  it('fail for one that does not, with the sentence', async () => {
    const { code, report } = await runNode({ PLANT_A_FAULT: 'yes' });
    expect({ code, failed: countOf('fail', report) }).toEqual({ code: 1, failed: 1 });
    expect(report).toContain('The contract of the port Payout is broken');
  });
});
