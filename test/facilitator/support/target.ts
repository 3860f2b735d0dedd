import { developmentFacilitator } from '../../../adapters/facilitator/development';
import type { Payment } from '../../../src/ports/facilitator';
import type { FacilitatorUnderTest } from '../../../testing';
import { testClock, testWallet } from '../../../testing';
import { REQUIREMENTS } from './requirements';

export const PAYER = testWallet('facilitator payer');
export const PAUPER = testWallet('facilitator pauper');

export function playMoney() {
  const clock = testClock(Date.now());
  const facilitator = developmentFacilitator({
    startingBalance: 0n,
    balances: { [PAYER.address]: 1_000_000_000n },
    clock,
    warn: () => undefined,
  });
  return { ...facilitator, clock };
}

export function onPlayMoney(
  play: ReturnType<typeof playMoney>,
  rest: Pick<
    FacilitatorUnderTest,
    | 'facilitator'
    | 'looksUp'
    | 'another'
    | 'loseAnswer'
    | 'hold'
    | 'garble'
    | 'silence'
    | 'failWith'
    | 'redirect'
    | 'cutOff'
    | 'destroy'
    | 'times'
    | 'secrets'
  >,
): FacilitatorUnderTest {
  return {
    requirements: REQUIREMENTS,
    payer: PAYER,
    pauper: PAUPER,
    now: () => play.clock.now(),
    moveClock: async (seconds) => play.clock.advance(seconds * 1000),
    stranger: async (payment: Payment) => {
      await play.settle(payment, { ...REQUIREMENTS, payTo: payment.authorization.to });
    },
    received: async () => play.balanceOf(REQUIREMENTS.payTo),
    ...rest,
  };
}
