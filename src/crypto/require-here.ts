import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';

// CommonJS (the .cjs build, Jest) has __filename and no usable import.meta; ES modules are the reverse, but
// see a global __filename of `[eval]` under `node -e`.
const here = typeof __filename === 'string' && isAbsolute(__filename) ? __filename : import.meta.url;

/** `require` as seen from this package, in both module forms. Throws what `require` throws. */
export const requireHere: (name: string) => unknown = createRequire(here);
