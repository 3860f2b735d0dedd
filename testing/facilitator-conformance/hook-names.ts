import type { Hooks } from '../conformance/members';
import type { FacilitatorUnderTest } from './types';

export const HOOKS: Hooks<FacilitatorUnderTest> = {
  facilitator: true,
  requirements: true,
  payer: true,
  pauper: true,
  now: true,
  received: true,
  looksUp: true,
  times: true,
  secrets: true,
  another: true,
  stranger: true,
  loseAnswer: true,
  hold: true,
  garble: true,
  silence: true,
  redirect: true,
  failWith: true,
  cutOff: true,
  moveClock: true,
  wait: true,
  destroy: true,
};
