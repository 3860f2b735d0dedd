/**
 * Stands in for `vitest` when Jest runs the example's test. Jest has these functions too, with the same
 * meaning.
 */
export { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
