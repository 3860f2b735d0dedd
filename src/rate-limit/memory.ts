import { createLocalFailures, createLocalWindow } from './counters';
import { checkOptions, type NoOptions } from '../domain/options';
import type { RateLimitBackend } from '../ports/rate-limit';

/** Request windows counted in this process: the default when no `rateLimit` option is given. */
export function memoryRateLimit(options: NoOptions = {}): RateLimitBackend {
  checkOptions('memoryRateLimit', options, {});
  return {
    name: 'memory',
    window: (windowMs) => createLocalWindow(windowMs),
    failures: (windowMs) => createLocalFailures(windowMs),
  };
}
