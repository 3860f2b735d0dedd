import {
  ANYTHING,
  END,
  END_OR_FALSE,
  OBJECT,
  TEXT,
  aFunction,
  orFalse,
  type Hooks,
} from '../conformance/hook-values';
import type { RowStoreUnderTest } from './types';

export const HOOKS: Hooks<RowStoreUnderTest> = {
  store: ANYTHING,
  another: aFunction(OBJECT),
  crash: orFalse(aFunction()),
  kill: orFalse(aFunction()),
  failAt: orFalse(aFunction()),
  cutOff: orFalse(aFunction()),
  damage: orFalse(aFunction()),
  failWith: orFalse(aFunction(END)),
  redirect: orFalse(aFunction(END)),
  garble: orFalse(aFunction(END)),
  silence: orFalse(aFunction(END_OR_FALSE)),
  unbreakable: TEXT,
  destroy: aFunction(),
};
