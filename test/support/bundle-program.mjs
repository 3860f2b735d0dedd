import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** sqlite3 has native parts. pg-native and pg-hstore are optional and not installed. */
const NOT_BUNDLED = ['sqlite3', 'pg-native', 'pg-hstore'];

/** The adapters load their drivers by name at run time, which a bundler cannot see. */
const drivers = {
  name: 'drivers',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/crypto\/require-here\.ts$/ }, () => ({
      resolveDir: process.cwd(),
      contents: `
        import { createRequire } from 'node:module';
        const outside = createRequire(__filename);
        const bundled = { pg: () => require('pg'), sequelize: () => require('sequelize') };
        export const requireHere = (name) => (Object.hasOwn(bundled, name) ? bundled[name]() : outside(name));`,
    }));
  },
};

/** Leaves the time zones that Sequelize would load out of the bundle, because the programs write times in UTC. */
const noTimeZones = {
  name: 'no-time-zones',
  setup({ onLoad }) {
    onLoad({ filter: /\/moment-timezone\/data\/packed\/latest\.json$/ }, () => ({
      loader: 'json',
      contents: JSON.stringify({
        version: 'UTC',
        zones: ['Etc/UTC|UTC|0|0|'],
        links: ['Etc/UTC|UTC'],
        countries: [],
      }),
    }));
  },
};

const [script, file] = process.argv.slice(2);
const { outputFiles } = await build({
  entryPoints: [script],
  bundle: true,
  write: false,
  minify: true,
  platform: 'node',
  format: 'cjs',
  logLevel: 'error',
  external: NOT_BUNDLED,
  plugins: [drivers, noTimeZones],
});

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const [{ text }] = outputFiles;
writeFileSync(file, text.replaceAll(/[^\0-\x7f]/g, escaped), 'latin1');
