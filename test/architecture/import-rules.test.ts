import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = process.cwd();
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Violation {
  rule: { name: string };
  from: string;
}

async function violations(folder: string, folders: string[]): Promise<Violation[]> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  const argumentsOfTool = [
    cruiser,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    ...folders,
  ];
  // The tool exits with the number of violations, so `run` rejects if there are any. The error has the report as
  // `stdout`.
  const stdout = await run(process.execPath, argumentsOfTool, options).then(
    (result) => result.stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const report = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return report.summary.violations;
}

const seeds: [rule: string, file: string, content: string][] = [
  ['domain-imports', 'src/domain/a.ts', `export { port } from '../ports/port';`],
  ['domain-is-pure', 'src/domain/b.ts', `export { randomBytes } from 'node:crypto';`],
  ['domain-is-pure', 'src/domain/c.ts', `export { default } from 'joi';`],
  ['ports-imports', 'src/ports/a.ts', `export { verb } from '../usecases/verb';`],
  ['client-imports', 'src/client/a.ts', `export { view } from '../views/view';`],
  ['client-runs-everywhere', 'src/client/b.ts', `export { randomBytes } from 'node:crypto';`],
  ['client-runs-everywhere', 'src/client/c.ts', `export { default } from 'joi';`],
  ['client-serves-those-outside', 'src/live/c.ts', `export { request } from '../client/request';`],
  ['rate-limit-imports', 'src/rate-limit/a.ts', `export { view } from '../views/view';`],
  ['outbound-imports', 'src/outbound/a.ts', `export { view } from '../views/view';`],
  ['crypto-imports', 'src/crypto/a.ts', `export { view } from '../views/view';`],
  ['views-imports', 'src/views/a.ts', `export { verb } from '../usecases/verb';`],
  ['answer-schemas-only-in-http', 'src/views/b.ts', `export { answer } from './answer.schema';`],
  ['answer-schemas-only-in-http', 'src/live/b.ts', `export { message } from '../events/message.schema';`],
  ['events-imports', 'src/events/a.ts', `export { verb } from '../usecases/verb';`],
  ['usecases-imports', 'src/usecases/a.ts', `export { route } from '../http/route';`],
  ['usecases-imports', 'src/usecases/b.ts', `export { schema } from '../schemas/schema';`],
  ['schemas-imports', 'src/schemas/a.ts', `export { verb } from '../usecases/verb';`],
  ['http-imports', 'src/http/a.ts', `export { emitter } from '../live/emitter';`],
  ['live-imports', 'src/live/a.ts', `export { route } from '../http/route';`],
  ['jobs-imports', 'src/jobs/a.ts', `export { route } from '../http/route';`],
  ['src-never-imports-outside', 'src/a.ts', `export { adapter } from '../adapters/storage/own/index';`],
  ['src-never-imports-outside', 'src/b.ts', `export { kit } from '../testing/index';`],
  ['adapters-imports', 'adapters/storage/a.ts', `export { verb } from '../../src/usecases/verb';`],
  [
    'migrations-are-frozen',
    'adapters/shared/sql/migrations/a.ts',
    `export { d } from '../../../../src/domain/d';`,
  ],
  [
    'rate-limit-adapters-imports',
    'adapters/rate-limit/a.ts',
    `export { verb } from '../../src/usecases/verb';`,
  ],
  ['testing-imports', 'testing/a.ts', `export { helper } from '../test/helper';`],
  ['site-imports', 'site/a.ts', `export type { Verb } from '../src/usecases/verb';`],
  ['site-imports-types-only', 'site/b.ts', `export { face } from '../src/index';`],
  ['examples-use-the-public-face', 'examples/a.ts', `export { verb } from '../src/usecases/verb';`],
  ['cli-imports', 'cli/a.ts', `export { verb } from '../src/usecases/verb';`],
  ['cli-is-the-outside', 'site/e.ts', `export { command } from '../cli/command';`],
  ['no-cycles', 'src/domain/d.ts', `export { e } from './e'; export const d = 1;`],
  ['no-cycles', 'src/domain/f.ts', `import type { G } from './g'; export type F = G | 1;`],
  ['no-unresolvable', 'src/ports/b.ts', `export { nothing } from './nothing';`],
  ['express-only-in-its-room', 'src/usecases/c.ts', `export { Router } from 'express';`],
  ['express-only-in-its-room', 'site/c.ts', `export type { Router } from 'express';`],
  ['ws-only-in-its-room', 'src/http/b.ts', `export { WebSocketServer } from 'ws';`],
  ['sequelize-only-in-its-room', 'adapters/storage/b.ts', `export { Sequelize } from 'sequelize';`],
];

const scenery: [file: string, content: string][] = [
  ['src/index.ts', `export const face = 1;`],
  ['src/domain/e.ts', `export { d } from './d'; export const e = 1;`],
  ['src/domain/g.ts', `import type { F } from './f'; export type G = F | 2;`],
  ['src/ports/port.ts', `export const port = 1;`],
  ['src/usecases/verb.ts', `export const verb = 1; export type Verb = string;`],
  ['src/client/request.ts', `export const request = 1;`],
  ['site/d.ts', `export { request } from '../src/client/request';`],
  ['cli/command.ts', `export { face as command } from '../src/index';`],
  ['src/views/view.ts', `export const view = 1;`],
  ['src/views/answer.schema.ts', `export const answer = 1;`],
  ['src/events/message.schema.ts', `export { answer as message } from '../views/answer.schema';`],
  ['src/schemas/schema.ts', `export const schema = 1;`],
  ['src/http/route.ts', `import { Router } from 'express'; export const route = Router();`],
  ['src/http/document.ts', `export { answer } from '../views/answer.schema';`],
  ['src/live/emitter.ts', `export const emitter = 1;`],
  ['testing/index.ts', `export const kit = 1;`],
  ['test/helper.ts', `export const helper = 1;`],
  ['adapters/storage/own/index.ts', `export { port as adapter } from '../../../src/ports/port';`],
];

describe('import rules', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
      await cp(join(root, file), join(folder, file));
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, content] of [
      ...scenery,
      ...seeds.map(([, file, content]) => [file, content] as const),
    ]) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `${content}\n`);
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('hold on our own sources', async () => {
    expect(await violations(root, ['src', 'adapters', 'testing', 'site', 'cli', 'examples'])).toEqual([]);
  });

  it('catch every seeded violation, and nothing in the files around it', async () => {
    const found = await violations(folder, ['src', 'adapters', 'testing', 'site', 'cli', 'examples']);
    const caught = new Set(found.map(({ rule, from }) => `${rule.name} ${from}`));
    for (const [rule, file] of seeds) expect(caught).toContain(`${rule} ${file}`);
    const seeded = new Set([...seeds.map(([, file]) => file), 'src/domain/e.ts']);
    expect(found.map(({ from }) => from).filter((from) => !seeded.has(from))).toEqual([]);
  });

  it('have a seeded violation each', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const seeded = new Set(seeds.map(([rule]) => rule));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !seeded.has(name))).toEqual([]);
  });
});
