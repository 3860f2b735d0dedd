import type { Hooks } from '../conformance/members';
import type { OracleUnderTest } from './types';

export const HOOKS: Hooks<OracleUnderTest> = {
  oracle: true,
  question: true,
  decidesBy: true,
  knownEarly: true,
  know: true,
  provisional: true,
  confuse: true,
  unsure: true,
  stall: true,
  garble: true,
  failWith: true,
  redirect: true,
  cutOff: true,
  secrets: true,
  destroy: true,
};
