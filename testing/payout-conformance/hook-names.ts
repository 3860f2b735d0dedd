import type { Hooks } from '../conformance/members';
import type { PayoutUnderTest } from './types';

export const HOOKS: Hooks<PayoutUnderTest> = {
  payout: true,
  order: true,
  received: true,
  another: true,
  treasury: true,
  fund: true,
  unpayable: true,
  stall: true,
  provisional: true,
  overtake: true,
  fail: true,
  hide: true,
  loseAnswer: true,
  failWith: true,
  redirect: true,
  garble: true,
  silence: true,
  cutOff: true,
  secrets: true,
  destroy: true,
};
