import type { Hooks } from '../conformance/members';
import type { StorageUnderTest } from './types';

export const HOOKS: Hooks<StorageUnderTest> = {
  storage: true,
  another: true,
  reopen: true,
  kill: true,
  durable: true,
  inspect: true,
  cutOff: true,
  loseCommit: true,
  destroy: true,
};
