import { createLocalFailures, createLocalWindow } from './counters';
import { checkOptions, type NoOptions } from '../domain/options';
import type { RateLimitBackend } from '../ports/rate-limit';

/**
 * Rate limits that are counted in the memory of this process. This is the default of the option `rateLimit`.
 */
export function memoryRateLimit(options: NoOptions = {}): RateLimitBackend {
  checkOptions('memoryRateLimit', options, {});
  return {
    name: 'memory',
    window: (windowMs) => createLocalWindow(windowMs),
    failures: (windowMs) => createLocalFailures(windowMs),
  };
}
