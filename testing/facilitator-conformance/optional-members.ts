/** Checks of the optional members of the port. */
import { cameOf } from '../conformance/members';
import type { FacilitatorSuite } from './suite';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function optionalMemberTests({ describe, test }: FacilitatorSuite): void {
  describe('the optional members', () => {
    test('say what they are for', ['chainId', 'address', 'playMoney', 'realMoney'], async (t) => {
      const { facilitator, requirements, check } = t;
      const { playMoney, address } = facilitator as { playMoney?: unknown; address?: unknown };
      if (playMoney !== undefined && typeof playMoney !== 'boolean')
        check.by('playMoney').fail(`\`playMoney\` is ${cameOf(playMoney)}\nExpected: true or false`);
      if (address !== undefined && !(typeof address === 'string' && ADDRESS.test(address)))
        check.by('address').fail(`\`address\` is ${cameOf(address)}\nExpected: an address, as 0x-hex`);
      if (facilitator.chainId === undefined) return;
      check.equal(await facilitator.chainId(), chainOf(requirements.network), '`chainId()`');
    });

    test('name no other chain when the node is away', 'chainAway', async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (facilitator.chainId === undefined) return;
      const what = 'cuts the facilitator off from the services that it depends on';
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      await hooks.cutOff();
      const chain = chainOf(requirements.network);
      const answer: unknown = await facilitator.chainId().catch(() => chain);
      check.equal(answer, chain, '`chainId()`, without the node');
    });
  });
}

const chainOf = (network: string): number => Number(network.replace('eip155:', ''));
