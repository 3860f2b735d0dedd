import * as events from 'node:events';
import { compileFunction } from 'node:vm';
import { transformSync } from 'esbuild';
import express from 'express';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import { renderToString } from 'react-dom/server';
import * as ws from 'ws';
import * as client from '../../../src/client';
import * as react from '../../../src/client/react';
import * as testing from '../../../testing';
import { snippetsOf } from '../../documents/snippets';
import { runSnippet } from '../support/snippets';

const modules: Readonly<Record<string, unknown>> = {
  'react/jsx-runtime': jsxRuntime,
  'express-prediction-market/client': client,
  'express-prediction-market/react': react,
};
const EXPECTED: Readonly<Record<string, string>> = {
  App: '<p>…</p>',
  Holdings: '<section aria-busy="true"><h2></h2></section>',
  BuyYes: '<button>Buy</button>',
  Connect: '<button>Connect</button><button>Disconnect</button>',
};

function componentsOf(code: string): Record<string, FunctionComponent<{ market: number; wallet: object }>> {
  const { code: script } = transformSync(code, { loader: 'tsx', format: 'cjs', jsx: 'automatic' });
  const module = { exports: {} };
  const run = compileFunction(script, ['require', 'module']) as (...given: unknown[]) => void;
  run((name: string) => modules[name], module);
  return module.exports;
}

const snippets = snippetsOf('docs/react.md');
const components = snippets.filter(({ language }) => language === 'tsx');

it('the lines around the test of a component run', async () => {
  const lines = snippets.filter(({ language }) => language === 'ts');
  expect(lines).toHaveLength(1);
  const modules = { 'node:events': events, express: { default: express }, ws };
  const ours = { 'express-prediction-market/client': client, 'express-prediction-market/testing': testing };
  for (const snippet of lines) await runSnippet(snippet, { ...modules, ...ours }, {});
});

it.each(components.map(({ line, code }) => [line, code] as const))(
  'the component of line %d of docs/react.md',
  (_line, code) => {
    const [[name, component] = []] = Object.entries(componentsOf(code));
    if (name === undefined || component === undefined) throw new Error('The example exports no component');
    const page: ReactNode = createElement(component, { market: 1, wallet: {} });
    const provider = { client: client.createClient({ baseUrl: 'https://markets.example.com' }) };
    expect([name, renderToString(createElement(react.PredictionMarketProvider, provider, page))]).toEqual([
      name,
      EXPECTED[name],
    ]);
  },
);
