/** The conformance suites also run under Node's own test runner. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { bundled } from '../support/program';

async function runNode(more: Record<string, string> = {}): Promise<{ code: number | null; report: string }> {
  const file = bundled('test/testing-kit/node-runner/kits.ts');
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

describe('the conformance suites under node:test', () => {
  it('pass for adapters that keep their word', async () => {
    const { code, report } = await runNode();
    expect({ code, failed: countOf('fail', report) }).toEqual({ code: 0, failed: 0 });
    expect(countOf('pass', report)).toBeGreaterThan(150);
    for (const port of PORTS) expect(report).toContain(`${port} conformance`);
  });

  it('fail for one that does not, with the sentence', async () => {
    const { code, report } = await runNode({ PLANT_A_FAULT: 'yes' });
    expect({ code, failed: countOf('fail', report) }).toEqual({ code: 1, failed: 1 });
    expect(report).toContain('The contract of the port Payout is broken');
  });
});
