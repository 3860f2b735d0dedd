import { defineConfig } from 'tsup';

/** One entry for each subpath of package.json's `exports`, except `./package.json`. */
export const entries = {
  index: 'src/index.ts',
  'storage/memory': 'adapters/storage/memory/index.ts',
  'storage/sqlite': 'adapters/storage/sqlite/index.ts',
  'storage/postgres': 'adapters/storage/postgres/index.ts',
  'oracle/manual': 'adapters/oracle/manual/index.ts',
  'oracle/openai': 'adapters/oracle/openai/index.ts',
  'oracle/ai': 'adapters/oracle/ai/index.ts',
  'oracle/http': 'adapters/oracle/http/index.ts',
  'oracle/consensus': 'adapters/oracle/consensus/index.ts',
  'facilitator/development': 'adapters/facilitator/development/index.ts',
  'rate-limit/redis': 'adapters/rate-limit/redis/index.ts',
  'facilitator/http': 'adapters/facilitator/http/index.ts',
  'facilitator/evm': 'adapters/facilitator/evm/index.ts',
  'payout/development': 'adapters/payout/development/index.ts',
  'payout/evm': 'adapters/payout/evm/index.ts',
  client: 'src/client/index.ts',
  react: 'src/client/react/index.ts',
  site: 'site/index.ts',
  testing: 'testing/index.ts',
};

/** The program of package.json's `bin`. */
const programs = { cli: 'cli/main.ts' };

export default defineConfig({
  entry: { ...entries, ...programs },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Without `splitting`, the CommonJS build would contain one copy of a class for each entry, and
  // `instanceof` would fail between subpaths.
  splitting: true,
  esbuildOptions(options, { format }) {
    // Code that needs its own path asks `__filename` first. In CommonJS, `import.meta.url` is a syntax error.
    if (format === 'cjs') options.define = { ...options.define, 'import.meta.url': 'undefined' };
  },
  // `npm run types` checks the types, so the build does not check them again.
  dts: process.env.SKIP_TYPES !== '1' && {
    entry: entries,
    compilerOptions: { noCheck: true, noEmitOnError: false, types: ['node'] },
  },
  clean: true,
  sourcemap: false,
  treeshake: false,
  silent: true,
});
