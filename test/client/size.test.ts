/** What a page has to load for the client. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const KB = 1_000;

/** The script of a page with this code, as browsers get it. */
async function sizeOf(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    external: ['react'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

it('is less than 15 kB compressed, with the live feed', async () => {
  const size = await sizeOf(`
    import { createClient } from './src/client';
    const client = createClient({ baseUrl: '' });
    for await (const message of client.live(['trades'])) console.log(message);
  `);
  expect(size).toBeLessThan(15 * KB);
  // A bundle without the code would be small too.
  expect(size).toBeGreaterThan(5 * KB);
});
