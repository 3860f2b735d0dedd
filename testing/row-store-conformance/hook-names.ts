import type { Hooks } from '../conformance/members';
import type { RowStoreUnderTest } from './types';

export const HOOKS: Hooks<RowStoreUnderTest> = {
  store: true,
  another: true,
  crash: true,
  kill: true,
  failAt: true,
  cutOff: true,
  damage: true,
  failWith: true,
  redirect: true,
  garble: true,
  silence: true,
  unbreakable: true,
  destroy: true,
};
