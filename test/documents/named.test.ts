import { readFileSync } from 'node:fs';
import { createProgram } from '../../cli/program';
import express from 'express';
import request from 'supertest';
import { createClient } from '../../src/client';
import { createTestMarket } from '../../testing';
import { pages } from './snippets';

interface Named {
  place: string;
  text: string;
}

const texts = pages.map((page) => ({ page, text: readFileSync(page, 'utf8') }));

function named(pattern: RegExp): Named[] {
  return texts.flatMap(({ page, text }) =>
    [...text.matchAll(pattern)].map((found) => ({
      place: `${page}:${text.slice(0, found.index).split('\n').length}`,
      text: found[1] ?? '',
    })),
  );
}

it('each call of the program names a command that it has, with options that the command has', () => {
  const nothing = (): never => {
    throw new Error('not called');
  };
  const program = createProgram({
    ...{ environment: {}, folder: '.', isInteractive: false, stop: new AbortController().signal },
    ...{ print: nothing, tell: nothing, choose: nothing, progress: nothing, fetch: nothing },
    isInstalled: nothing,
  });
  const calls = named(/npx (?:--package \S+ )?express-prediction-market ([^`\n#&|)]*)/g);
  expect(calls.length).toBeGreaterThan(20);
  const wrong = calls.filter(({ text }) => {
    const words = text.trim().split(/\s+/);
    let command = program;
    for (const word of words) {
      const next = command.commands.find((each) => each.name() === word);
      if (next === undefined) break;
      command = next;
    }
    if (command === program) return true;
    const flags = words.filter((word) => word.startsWith('--'));
    const known = [...command.options, ...program.options].map(({ long }) => long);
    return flags.some((flag) => !known.includes(flag.replace(/=.*$/, '')));
  });
  expect(wrong).toEqual([]);
});

/**
 * The documents of the API leave these paths out: the socket, the pages, the standalone server and hosts of examples.
 */
const NOT_OF_THE_API =
  /^\/(ws|site-data|oembed|ready|health|metrics|docs|operators|favourites|hello|hooks|sample|questions|ops)\b/;

it('each route that the documents name exists', async () => {
  const market = await createTestMarket();
  const app = express().use(market.pm.router).use('/ops', market.pm.adminRouter);
  const known = new Set<string>();
  for (const path of ['/api/v2/openapi.json', '/ops/openapi.json']) {
    const { paths } = (await request(app).get(path).expect(200)).body as { paths: Record<string, object> };
    for (const [route, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) known.add(`${method.toUpperCase()} ${shapeOf(route)}`);
  }
  await market.close();
  const routes = named(/\b((?:GET|POST|PATCH|DELETE) \/[^\s`"',)]*)/g);
  expect(routes.length).toBeGreaterThan(80);
  const wrong = routes.filter(({ text }) => {
    const [method = '', path = ''] = text.split(' ');
    const below = path.replace(/^\/api\/v2/, '').replace(/^\/admin\b/, '');
    return !NOT_OF_THE_API.test(below) && !known.has(`${method} ${shapeOf(below)}`);
  });
  expect(wrong).toEqual([]);
});

it('each method of `pm` and of the client that the documents name exists', async () => {
  const market = await createTestMarket();
  const client = createClient({ baseUrl: 'http://localhost' });
  const roots = { pm: market.pm, client, operator: client };
  // In some examples `client` is the client of a test or a connection of `pg`, so these methods are not looked up.
  const others = /^client\.(get|post|query|release)$/;
  const methods = named(/\b((?:pm|client|operator)(?:\.[a-z]\w*)+)(?=\()/g).filter(
    ({ text }) => !others.test(text),
  );
  expect(methods.length).toBeGreaterThan(80);
  const wrong = methods.filter(({ text }) => {
    const found = text.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), roots);
    return typeof found !== 'function';
  });
  await market.close();
  expect(wrong).toEqual([]);
});

/** `/markets/:id/close`, `/api/v2/markets/{id}/close` and `/markets/1/close?x=1` have one shape. */
function shapeOf(path: string): string {
  const [plain = ''] = path
    .replace(/^\/api\/v2/, '')
    .replace(/^\/admin\b/, '')
    .split('?');
  const parts = plain.replace(/[.;:]$/, '').split('/');
  return parts.map((part) => (/^([:{$<].*|\d+|0x.*|…)$/.test(part) ? '*' : part)).join('/');
}
