/** docs/deploy.md names what the package and the server have. */
import { readFileSync } from 'node:fs';
import { DRIVERS } from '../../cli/package';
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
