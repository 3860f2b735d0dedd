import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { entries } from '../../tsup.config';
import {
  exportLister,
  importerOfAll,
  javascriptConsumer,
  typescriptConfig,
  typescriptConsumer,
} from './consumers';
import { unnamedTypes } from './unnamed-types';
import { describeWith } from '../support/optional';
import { command, makeProject, packageName, packPackage, root, tool, type PackedPackage } from './support';

const MINUTES = 60_000;
const entryPaths = Object.keys(entries).map((name) =>
  name === 'index' ? packageName : `${packageName}/${name}`,
);

interface Manifest {
  exports: Record<string, unknown>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

describe('the packed package', () => {
  let packed: PackedPackage;
  let manifest: Manifest;

  beforeAll(async () => {
    packed = await packPackage();
    manifest = JSON.parse(await readFile(join(packed.unpacked, 'package.json'), 'utf8')) as Manifest;
  }, 5 * MINUTES);
  afterAll(() => rm(packed.folder, { recursive: true, force: true }));

  it('exports exactly what is built', () => {
    const exported = Object.keys(manifest.exports).filter((path) => path !== './package.json');
    const built = Object.keys(entries).map((name) => (name === 'index' ? '.' : `./${name}`));
    expect(exported.sort()).toEqual(built.sort());
  });

  it('holds what users need and none of our tests', async () => {
    const { output } = await command('tar', ['-tzf', packed.tarball], root);
    const files = output.trim().split('\n');
    for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json', 'dist/index.cjs']) {
      expect(files).toContain(`package/${file}`);
    }
    const shown = [
      'docs/specification.md',
      'built-docs/index.html',
      'examples/demo/main.ts',
      'ops/alerts.yml',
      'ops/grafana-dashboard.json',
    ];
    const sources = ['adapters/storage/memory/index.ts', 'src/ports/storage/index.ts', 'src/domain/types.ts'];
    expect(files).toEqual(expect.arrayContaining([...shown, ...sources].map((file) => `package/${file}`)));
    const others =
      /^package\/(?!(dist|docs|built-docs|cli\/templates|examples|adapters\/storage\/memory|src\/(ports|domain))\/|ops\/(alerts\.yml|grafana-dashboard\.json)$|[^/]+$)/;
    expect(files.filter((file) => others.test(file) || file.includes('/node_modules/'))).toEqual([]);
  });

  it('holds every file that its sources import', async () => {
    const { output } = await command('tar', ['-tzf', packed.tarball], root);
    const files = new Set(output.trim().split('\n'));
    const sources = [...files].filter((file) => /^package\/(src|adapters)\/.*\.ts$/.test(file));
    expect(sources.length).toBeGreaterThan(50);
    const dead: string[] = [];
    for (const source of sources) {
      const text = await readFile(join(packed.unpacked, source.replace('package/', '')), 'utf8');
      for (const [, path = ''] of text.matchAll(/from '(\.[^']*)'/g)) {
        const target = join(dirname(source), path);
        if (!files.has(`${target}.ts`) && !files.has(`${target}/index.ts`)) dead.push(`${source}: ${path}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it.each(['client.js', 'client.cjs'])(
    'has a client without modules of Node and packages: %s',
    async (file) => {
      const bundle = await build({
        entryPoints: [join(packed.unpacked, 'dist', file)],
        bundle: true,
        metafile: true,
        minify: true,
        platform: 'browser',
        write: false,
        logLevel: 'silent',
      });
      const inputs = Object.keys(bundle.metafile.inputs);
      expect(inputs.filter((input) => !/\/package\/dist\/[^/]+$/.test(input))).toEqual([]);
      expect(bundle.outputFiles[0]?.text.length).toBeLessThan(50_000);
    },
  );

  it('has no script that npm would call, or name in a warning, when the package is installed', () => {
    const called = ['install', 'prepare', 'prepublish'].flatMap((name) => [
      `pre${name}`,
      name,
      `post${name}`,
    ]);
    expect(called.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it('has an example of the server whose script for checkouts does nothing in it', async () => {
    const folder = join(packed.unpacked, 'examples/standalone');
    const example = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
    const script = example.scripts['prepare'] ?? 'no script';
    expect(await command('sh', ['-c', script], folder)).toEqual({ code: 0, output: '' });
  });

  it('exports a name for every type that its signatures use', () => {
    expect(unnamedTypes(packed.unpacked, manifest)).toEqual([]);
  });

  it('satisfies publint --strict', async () => {
    const { code, output } = await command(tool('publint'), ['run', packed.tarball, '--strict'], root);
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  });

  it('has types that resolve for ESM and CommonJS', async () => {
    const options = ['test/package/types-resolve.mjs', packed.tarball];
    expect(await command(process.execPath, options, root)).toEqual({ code: 0, output: '' });
  });

  describe.each(['module', 'commonjs'] as const)('as %s', (type) => {
    const extension = type === 'module' ? 'mjs' : 'cjs';

    it.each([
      ['4', 'express4'],
      ['5', 'express'],
    ])('boots in an Express %s app, with no driver installed', async (_version, express) => {
      const project = await makeProject(packed, { type, packages: [['express', express]] });
      await writeFile(join(project, `app.${extension}`), javascriptConsumer(type));
      const { code, output } = await command(process.execPath, [`app.${extension}`], project);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\{.*\}\n$/) });
      expect(JSON.parse(output)).toEqual({
        challenge: 200,
        nonce: 48,
        refused: [401, 'UNAUTHORIZED'],
        audit: true,
        page: [200, true],
        docs: [200, true],
        sameClass: 'MARKET_NOT_FOUND',
        client: [0, 'MARKET_NOT_FOUND'],
        withoutDriver: expect.stringMatching(/^(?=.*npm install)(?=.*(sequelize|sqlite3)).+$/),
        curve: 'pure',
      });
    });

    describeWith('native curve', 'with the optional curve', () => {
      it('recovers signers natively where that is installed', async () => {
        const project = await makeProject(packed, { type, packages: ['express', 'secp256k1'] });
        await writeFile(join(project, `app.${extension}`), javascriptConsumer(type));
        const { output } = await command(process.execPath, [`app.${extension}`], project);
        expect(JSON.parse(output)).toMatchObject({ curve: 'native' });
      });
    });
  });

  // A run of the compiler takes seconds, so each run checks several things.
  it.each<[string, string, string, string, string[]]>([
    ['4', 'Node16', 'Node16', 'express4', ['mts', 'cts']],
    ['5', 'NodeNext', 'NodeNext', 'express', ['mts', 'cts']],
    ['5', 'ESNext', 'Bundler', 'express', ['ts']],
  ])(
    'gives strict types of every entry, and an app that compiles: Express %s, module %s, resolution %s',
    async (_version, module, resolution, express, endings) => {
      const packages: [string, string][] = [
        ['express', express],
        ['@types/express', `@types/${express}`],
        ['@types/node', '@types/node'],
        ['@types/react', '@types/react'],
      ];
      const project = await makeProject(packed, { type: 'module', packages });
      // The ending of a file decides how the file imports, so one run of the compiler checks both kinds of types.
      const sources = { consumer: typescriptConsumer, all: importerOfAll(entryPaths) };
      const files = Object.keys(sources).flatMap((name) => endings.map((ending) => `${name}.${ending}`));
      for (const file of files)
        await writeFile(join(project, file), file.startsWith('all') ? sources.all : sources.consumer);
      const config = typescriptConfig(files, [module, resolution]);
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
      expect(await command(tool('tsc'), ['-p', '.'], project)).toEqual({ code: 0, output: '' });
    },
  );

  it('loads every entry without drivers, with the same names in both forms', async () => {
    const listed = ['module', 'commonjs'] as const;
    const [modules, commonjs] = await Promise.all(
      listed.map(async (type) => {
        const project = await makeProject(packed, { type, packages: ['express', 'react'] });
        const file = type === 'module' ? 'list.mjs' : 'list.cjs';
        await writeFile(join(project, file), exportLister(type, entryPaths));
        const { code, output } = await command(process.execPath, [file], project);
        expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\{/) });
        return JSON.parse(output) as Record<string, string[]>;
      }),
    );
    expect(modules).toEqual(commonjs);
    expect(modules?.[packageName]).toContain('createPredictionMarket');
    for (const path of entryPaths) expect(modules?.[path]).not.toEqual([]);
  });

  it('keeps the drivers optional', () => {
    for (const driver of ['sequelize', 'sqlite3', 'pg', 'ioredis', 'supertest', 'react']) {
      expect(manifest.peerDependenciesMeta[driver]).toEqual({ optional: true });
      expect(manifest.dependencies).not.toHaveProperty(driver);
    }
  });
});
