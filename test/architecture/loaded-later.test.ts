import { build } from 'esbuild';

/** The files that a process loads when it loads the entry. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const options = {
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
  } as const;
  const { metafile } = await build({ ...options, entryPoints: [entry], format: 'esm', logLevel: 'silent' });
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && external !== true) loaded.add(path);
  return loaded;
}

it('a process loads the schemas of answers and messages only when a document is asked for', async () => {
  const loaded = await loadedWith('src/index.ts');
  expect(loaded).toContain('src/http/routes/documents.ts');
  expect([...loaded].filter((file) => /^src\/(views|events)\/.*\.schema\.ts$/.test(file))).toEqual([]);
});
