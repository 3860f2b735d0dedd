import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const KB = 1_000;
const LIMIT_KB = 15;

/** Counts bytes after gzip. Parts that a browser loads on demand do not count. */
async function sizeOf(code: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    outdir: 'out',
    splitting: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    external: ['react'],
  });
  const page = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  // An import at the top of the bundle would load more code at once, which this size would miss.
  expect(page?.imports.map(({ kind }) => kind)).not.toContain('import-statement');
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

it(`the client is less than ${LIMIT_KB} kB compressed, with the live feed`, async () => {
  const size = await sizeOf(`
    import { createClient } from './src/client';
    const client = createClient({ baseUrl: '' });
    for await (const message of client.live(['trades'])) console.log(message);
  `);
  expect(size).toBeLessThan(LIMIT_KB * KB);
  // A bundle without the code of the client would be small too.
  expect(size).toBeGreaterThan(5 * KB);
});
