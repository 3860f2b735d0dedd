/** Jest runs the example's test with its own functions, which have the same meaning as those of `vitest`. */
export { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
