import {
  ANYTHING,
  END,
  END_OR_FALSE,
  OBJECT,
  TEXTS,
  TRUE_OR_FALSE,
  aFunction,
  functions,
  oneOf,
  orFalse,
  type Hooks,
} from '../conformance/hook-values';
import type { OracleUnderTest } from './types';

export const HOOKS: Hooks<OracleUnderTest> = {
  oracle: ANYTHING,
  question: aFunction(OBJECT),
  decidesBy: oneOf('market', 'text'),
  knownEarly: TRUE_OR_FALSE,
  know: orFalse(aFunction()),
  provisional: orFalse(functions(END)),
  confuse: orFalse(functions(END)),
  unsure: orFalse(aFunction(END)),
  stall: orFalse(aFunction(END_OR_FALSE)),
  garble: orFalse(aFunction(END)),
  failWith: orFalse(aFunction(END)),
  redirect: orFalse(aFunction(END)),
  cutOff: orFalse(aFunction(END)),
  secrets: orFalse(TEXTS),
  destroy: aFunction(),
};
