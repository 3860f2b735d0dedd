import type { Hooks } from '../conformance/members';
import type { RateLimitUnderTest } from './types';

export const HOOKS: Hooks<RateLimitUnderTest> = {
  backend: true,
  another: true,
  cutOff: true,
  refuse: true,
  failWith: true,
  redirect: true,
  secrets: true,
  garble: true,
  destroy: true,
};
