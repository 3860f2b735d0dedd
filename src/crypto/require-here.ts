import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';

// CommonJS (the .cjs build, Jest) has `__filename` and no usable `import.meta`. ES modules have `import.meta`.
// Under `node -e`, ES modules also see a global `__filename` with the value `[eval]`, which is no absolute path.
const here = typeof __filename === 'string' && isAbsolute(__filename) ? __filename : import.meta.url;

/**
 * `require` as code in this package would call it, in both module formats. Throws the errors that `require`
 * throws.
 */
export const requireHere: (name: string) => unknown = createRequire(here);
