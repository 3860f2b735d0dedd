/** Jest runs a test that is written for Vitest, with its own functions of the same names. */
export { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
