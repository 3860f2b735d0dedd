import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DRIVERS } from '../../cli/package';
import { commandsIn, sectionOf } from '../support/document-shell';
import { snippetsOf } from './snippets';

const blocks = snippetsOf('docs/deploy.md').map(({ code }) => code);

it('the variables that the files of docs/deploy.md set are those of the server', () => {
  const server = readFileSync('docs/standalone.md', 'utf8');
  const set = blocks.flatMap((code) =>
    [...code.matchAll(/(?:^|ENV |Environment=| )([A-Z]+(?:_[A-Z]+)*)=/gm)].map(([, name = '']) => name),
  );
  expect(set).toEqual(expect.arrayContaining(['ADMIN_TOKEN', 'BASE_URL', 'TRUST_PROXY', 'HOST', 'NODE_ENV']));
  const unknown = set.filter((name) => name !== 'NODE_ENV' && !server.includes(`\`${name}\``));
  expect(unknown).toEqual([]);
});

it('the program that systemd and Docker start is the one of the package', () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> };
  const started = blocks.flatMap(
    (code) => code.match(/node_modules\/express-prediction-market\/\S+?\.js/g) ?? [],
  );
  const [file = ''] = Object.values(bin);
  expect(new Set(started)).toEqual(
    new Set([`node_modules/express-prediction-market/${file.replace('./', '')}`]),
  );
});

it('the packages to install are those that `serve` asks for', () => {
  const names = (code: string): string[] =>
    (/npm install (express-prediction-market [\w -]+)/.exec(code)?.[1] ?? '').trim().split(' ');
  const lists = blocks.filter((code) => code.includes('npm install')).map(names);
  expect(lists).toHaveLength(3);
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  for (const [own, ...others] of lists) {
    expect(own).toBe('express-prediction-market');
    expect(others.filter((name) => peerDependencies[name] === undefined)).toEqual([]);
    expect(others).toEqual(expect.arrayContaining(['helmet', 'pino', 'prom-client', ...DRIVERS.sqlite]));
  }
});

describe('the settings', () => {
  /** Each entry is the text in the file and the value that systemd reads (systemd.exec(5)). */
  const VALUES = {
    RPC_URL: ['https://node.example/v2?key=a&x=1', 'https://node.example/v2?key=a&x=1'],
    ADMIN_TOKEN: ['ab$cd;ef(gh)?=%|<>{}[]~^!*@:,.+-_/', 'ab$cd;ef(gh)?=%|<>{}[]~^!*@:,.+-_/'],
    METRICS_TOKEN: ["'a b#c'", 'a b#c'],
  } as const;
  const expected = Object.fromEntries(Object.entries(VALUES).map(([name, [, value]]) => [name, value]));
  const PRINT = `const { ${Object.keys(VALUES).join(', ')} } = process.env;
    console.log(JSON.stringify({ ${Object.keys(VALUES).join(', ')} }), ...process.argv.slice(2));`;
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deploy-'));
    file = join(folder, 'market.env');
    writeFileSync(
      file,
      Object.entries(VALUES)
        .map(([name, [written]]) => `${name}=${written}\n`)
        .join(''),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are read by --env-file of Node as the page says', () => {
    const printed = execFileSync(process.execPath, [`--env-file=${file}`, '-e', PRINT], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(expected);
  });

  it('reach a command through the script of the page, and its arguments too', () => {
    const bin = join(folder, 'bin');
    const installed = join(folder, 'node_modules/express-prediction-market/dist');
    for (const each of [bin, installed]) mkdirSync(each, { recursive: true });
    writeFileSync(join(installed, 'cli.js'), PRINT);
    // This program stands in for systemd-run, which needs a running systemd.
    writeFileSync(
      join(bin, 'systemd-run'),
      `#!${process.execPath}
const given = process.argv.slice(2);
const first = given.findIndex((word) => !word.startsWith('-'));
const { existsSync, readFileSync } = require('node:fs');
const properties = (name) => given.filter((word) => word.startsWith('--property=' + name + '='))
  .map((word) => word.split('=').slice(2).join('='));
const files = properties('EnvironmentFile').filter((file) => !file.startsWith('-') || existsSync(file.slice(1)));
const lines = files.flatMap((file) => readFileSync(file.replace(/^-/, ''), 'utf8').trim().split('\\n'));
const env = Object.fromEntries(lines.map((line) => {
  const [name, ...value] = line.split('=');
  return [name, value.join('=').replace(/^'(.*)'$/, '$1')];
}));
const options = { cwd: properties('WorkingDirectory')[0], env, stdio: 'inherit' };
process.exit(require('node:child_process').spawnSync(given[first], given.slice(first + 1), options).status);
`,
    );
    const script = commandsIn(sectionOf('docs/deploy.md', 'Commands beside the unit'))
      .replace('/opt/market', folder)
      .replace('/etc/market.env', file)
      .replace('/etc/market-tokens', folder)
      .replace('/usr/bin/node', process.execPath);
    const market = join(folder, 'market');
    writeFileSync(market, script);
    for (const each of [market, join(bin, 'systemd-run')]) chmodSync(each, 0o755);
    writeFileSync(join(folder, 'alice.env'), 'ADMIN_TOKEN=the-token-of-alice\n');
    const call = (args: string[], SUDO_USER: string): string =>
      execFileSync(market, args, {
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env.PATH ?? ''}`, SUDO_USER },
      });
    for (const who of ['', 'alice', 'bob'])
      expect(call(['creators', '--reason', 'two words'], who)).toBe(
        `${JSON.stringify(expected)} creators --reason two words\n`,
      );
    const ofServer = JSON.stringify(expected);
    const ofAlice = JSON.stringify({ ...expected, ADMIN_TOKEN: 'the-token-of-alice' });
    expect(call(['log', '--url', 'http://x'], 'bob')).toBe(`${ofServer} log --url http://x\n`);
    expect(call(['log', '--url', 'http://x'], 'alice')).toBe(`${ofAlice} log --url http://x\n`);
    expect(call(['log', '--url=http://x'], 'alice')).toBe(`${ofAlice} log --url=http://x\n`);
  });
});

it('the backup script for Postgres dumps, audits and keeps the copy, and keeps no copy of books that fail', () => {
  const script = blocks.find((code) => code.includes('pg_dump --format')) ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const program = (name: string, body: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  program('pg_dump', 'for last; do :; done; echo "$2 $3" > "${last#--file=}"');
  const run = (audit: string) => {
    program('node', `test "$2 $DATABASE_URL" = "audit postgres://books" && ${audit}`);
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DATABASE_URL: 'postgres://books' };
    execFileSync('sh', ['-c', script.replaceAll('/var/backups/market', folder)], { env });
  };
  const dumps = () => readdirSync(folder).filter((name) => name.endsWith('.dump'));
  try {
    expect(() => run('false')).toThrow();
    expect(dumps()).toEqual(['new.dump']);
    run('true');
    expect(dumps()).toEqual([expect.stringMatching(/^market-[\d-]{10}\.dump$/)]);
    const copy = join(folder, dumps()[0] ?? '');
    expect(readFileSync(copy, 'utf8')).toBe('--schema=prediction_market --dbname=postgres://books\n');
    expect(statSync(copy).mode & 0o077).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
