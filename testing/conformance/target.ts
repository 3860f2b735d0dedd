import { callback, checkOptions, milliseconds, optional, type Checks } from '../../src/domain/options';
import type { ConformanceOptions } from './runner';

interface Target extends ConformanceOptions {
  create: unknown;
}

const COMMON: Checks<Target> = { create: callback, timeLimitMs: optional(milliseconds) };

/** Throws if `target` has no `create`, an option that the suite does not know, or an option with a wrong value. */
export function checkTarget<Own extends ConformanceOptions>(
  suite: string,
  target: Own,
  others: Checks<Omit<Own, keyof Target>>,
): void {
  checkOptions(suite, target, { ...COMMON, ...others });
}
