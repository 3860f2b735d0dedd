import { ANYTHING, FALSE, OBJECT, aFunction, orFalse, type Hooks } from '../conformance/hook-values';
import type { StorageUnderTest } from './types';

export const HOOKS: Hooks<StorageUnderTest> = {
  storage: ANYTHING,
  another: orFalse(aFunction()),
  reopen: aFunction(),
  kill: aFunction(),
  durable: FALSE,
  inspect: orFalse(OBJECT),
  cutOff: orFalse(aFunction()),
  loseCommit: orFalse(aFunction()),
  destroy: aFunction(),
};
