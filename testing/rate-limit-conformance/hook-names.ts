import { ANYTHING, END, OBJECT, TEXTS, aFunction, orFalse, type Hooks } from '../conformance/hook-values';
import type { RateLimitUnderTest } from './types';

export const HOOKS: Hooks<RateLimitUnderTest> = {
  backend: ANYTHING,
  another: orFalse(aFunction(OBJECT)),
  cutOff: orFalse(aFunction()),
  refuse: orFalse(aFunction()),
  failWith: orFalse(aFunction()),
  redirect: orFalse(aFunction()),
  secrets: orFalse(TEXTS),
  garble: orFalse(aFunction(END)),
  destroy: aFunction(),
};
