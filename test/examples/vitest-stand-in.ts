/** Stands in for `vitest` when Jest runs the example's test: both have these functions, with one meaning. */
export { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
