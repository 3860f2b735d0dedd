/** Hooks with a wrong value. The report names the hook and its value, and does not blame the adapter. */
import { describe, expect, it } from '@jest/globals';
import { facilitatorConformance } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { onPlayMoney, playMoney } from '../facilitator/support/target';
import { recordingRunner } from '../storage/broken/recording-runner';

const GOOD = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BAD = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CHECKSUM = `has a wrong EIP-55 checksum. Write it in lower case, or as ${GOOD}; came: "${BAD}"`;
const NO_ADDRESS = 'must be an address, 0x and 40 hexadecimal digits; came:';

async function reportsOf(requirements: object): Promise<Set<string>> {
  const { runner, run } = recordingRunner(expect);
  facilitatorConformance(runner, {
    create: async () => {
      const play = playMoney();
      const made = onPlayMoney(play, {
        ...{ facilitator: play, looksUp: true, destroy: async () => undefined },
        ...{ times: false, secrets: false, another: false, loseAnswer: false, hold: false, garble: false },
        ...{ silence: false, failWith: false, redirect: false, cutOff: false },
      });
      return { ...made, requirements: requirements as typeof REQUIREMENTS };
    },
  });
  const { passed, reports } = await run();
  expect(passed).toEqual([]);
  for (const report of reports.values())
    expect(report).toMatch(/^The contract of the port Facilitator was not checked: .+\nThe sentence: “/);
  return new Set([...reports.values()].map((report) => report.split('\n')[0]?.split('checked: ')[1] ?? ''));
}

describe('the hook `requirements`', () => {
  it.each([
    ['payTo with a wrong checksum', { payTo: BAD }, `\`payTo\` ${CHECKSUM}`],
    ['asset with a wrong checksum', { asset: BAD }, `\`asset\` ${CHECKSUM}`],
    ['payTo that is a name', { payTo: 'treasury' }, `\`payTo\` ${NO_ADDRESS} "treasury"`],
    ['asset that is missing', { asset: undefined }, `\`asset\` ${NO_ADDRESS} undefined`],
  ])('is named by every check: %s', async (_what, change, fault) => {
    const reports = await reportsOf({ ...REQUIREMENTS, ...change });
    expect([...reports]).toEqual([`The hook \`requirements\` is wrong: ${fault}`]);
  });
});
