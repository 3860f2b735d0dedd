import { callback, checkOptions, milliseconds, optional, type Checks } from '../../src/domain/options';
import type { ConformanceOptions } from './runner';

interface Target extends ConformanceOptions {
  create: unknown;
}

const COMMON: Checks<Target> = { create: callback, timeLimitMs: optional(milliseconds) };

/** Refuses a missing `create` and options that the suite does not have, once and where the suite is called. */
export function checkTarget<Own extends ConformanceOptions>(
  suite: string,
  target: Own,
  others: Checks<Omit<Own, keyof Target>>,
): void {
  checkOptions(suite, target, { ...COMMON, ...others });
}
