/** The alerting rules and the dashboard are checked against the metrics that the server really serves. */
import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import request from 'supertest';
import { createApp, type Standalone } from '../../examples/standalone';
import { ALARM_NAMES } from '../../src/domain/alarms';
import { bare, grouped, happen, labelsOf, OF_PROMETHEUS, rareMetrics, selectors } from './support/prometheus';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; legendFormat: string }[];
}

interface Dashboard {
  templating: { list: { name: string }[] };
  panels: Panel[];
}

const { groups } = parseYaml(readFileSync('ops/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync('ops/grafana-dashboard.json', 'utf8')) as Dashboard;
const shown = dashboard.panels.filter(({ type }) => type !== 'row');
const targets = shown.flatMap((panel) => panel.targets ?? []);

/** The functions and aggregations of PromQL that the expressions may use, and words before a parenthesis. */
const FUNCTIONS = /^(sum|max|min|topk|rate|increase|changes|scalar|absent|histogram_quantile|by)$/;

let standalone: Standalone;
/** The labels of each series that the server serves. */
let series: Map<string, Set<string>>;
/** The templates of the routes of the API. */
let routes: string[];

beforeAll(async () => {
  standalone = createApp({
    DATABASE_URL: 'memory:',
    LOG_LEVEL: 'silent',
    SITE_URL: 'https://market.example',
  });
  await standalone.start();
  await happen(standalone);
  await request(standalone.app).get('/ready');
  const { paths } = (await request(standalone.app).get('/api/v2/openapi.json')).body as { paths: object };
  routes = Object.keys(paths).map((path) => path.replace(/\{(\w+)\}/g, ':$1'));
  const { text } = await request(standalone.app).get('/metrics');
  series = labelsOf(`${text}\n${await rareMetrics(standalone)}`);
  series.set('up', new Set(OF_PROMETHEUS));
});
afterAll(() => standalone.close());

/** The values to which the expressions compare a label. */
const valuesOf = (label: string, expressions: string[]): string[] =>
  expressions.flatMap((expr) =>
    [...expr.matchAll(new RegExp(`\\b${label}[=!]~?"([^"]*)"`, 'g'))].map(([, value = '']) => value),
  );

describe.each([
  ['the alerting rules', rules.map(({ expr }) => expr)],
  ['the dashboard', targets.map(({ expr }) => expr)],
])('the expressions of %s', (_, expressions) => {
  it('ask for metrics and labels that the server serves', () => {
    const asked = expressions.flatMap(selectors);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter(({ metric }) => !series.has(metric))).toEqual([]);
    const unknown = asked.flatMap(({ metric, labels }) =>
      labels.filter((label) => series.get(metric)?.has(label) !== true).map((label) => `${metric} ${label}`),
    );
    expect(unknown).toEqual([]);
  });

  it('group by labels of their metrics', () => {
    for (const expr of expressions) {
      const known = selectors(expr).flatMap(({ metric }) => [...(series.get(metric) ?? [])]);
      expect([expr, known]).toEqual([expr, expect.arrayContaining(grouped(expr))]);
    }
  });

  it('name alarms and routes that exist', () => {
    const alarms = valuesOf('alarm', expressions).flatMap((value) => value.split('|'));
    expect(alarms).not.toEqual([]);
    expect(ALARM_NAMES).toEqual(expect.arrayContaining(alarms));
    const isRoute = (route: string) => routes.some((path) => new RegExp(`^${route}$`).test(path));
    expect(valuesOf('route', expressions).filter((route) => !isRoute(route))).toEqual([]);
  });

  it('find the first count of a voter, which begins a series', () => {
    // `increase` is 0 for a series of one value.
    const votes = /increase\((prediction_market_oracle_votes_total\{[^}]*\})\[(\w+)\]/;
    for (const expr of expressions) {
      const [, counter, time] = votes.exec(expr) ?? [];
      if (counter !== undefined) expect(expr).toContain(`${counter} unless ${counter} offset ${time}`);
    }
  });

  it('have balanced brackets and known functions', () => {
    for (const expr of expressions) {
      const open: string[] = [];
      for (const sign of bare(expr)) {
        if ('([{'.includes(sign)) open.push(sign);
        else if (')]}'.includes(sign)) expect([expr, open.pop()]).toEqual([expr, '([{'[')]}'.indexOf(sign)]]);
      }
      expect([expr, open]).toEqual([expr, []]);
      const called = [...bare(expr).matchAll(/([a-z_]\w*) ?\(/g)].map(([, name = '']) => name);
      expect([expr, called.filter((name) => !FUNCTIONS.test(name))]).toEqual([expr, []]);
      expect(bare(expr)).not.toMatch(/\[(?!\$__rate_interval\]|\d+[smhd]\])/);
    }
  });
});

it('each alerting rule has a severity, a summary and a row of docs/runbook.md', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, labels, annotations } of rules) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/\.$/)]);
    expect([alert, runbook.includes(`\`${alert}\``)]).toEqual([alert, true]);
  }
});

it('no alert counts the 501 that every caller gets who asks for oEmbed as XML', async () => {
  expect((await request(standalone.app).get('/oembed?format=xml')).status).toBe(501);
  const { expr } = rules.find(({ alert }) => alert === 'MarketErrors') ?? { expr: '' };
  expect(expr.match(/status=~"5\.\."/g)).toHaveLength(2);
  expect(expr.match(/status=~"5\.\.",status!="501"/g)).toHaveLength(2);
});

it('each alerting rule asks for the job "market" only', () => {
  for (const { alert, expr } of rules) {
    const jobs = selectors(expr).map(({ labels }) => labels[0]);
    expect([alert, jobs]).toEqual([alert, jobs.map(() => 'job')]);
    expect([alert, valuesOf('job', [expr])]).toEqual([alert, jobs.map(() => 'market')]);
  }
});

it('requests to /health, /ready and /metrics have the routes that MarketErrors leaves out of its share', async () => {
  for (const path of ['/health', '/ready', '/api/v2/health', '/api/v2/ready', '/metrics'])
    await request(standalone.app).get(path);
  const { text } = await request(standalone.app).get('/metrics');
  const counted = [...text.matchAll(/^http_request_duration_seconds_count\{.*route="([^"]*)"/gm)].map(
    ([, route = '']) => route,
  );
  const { expr } = rules.find(({ alert }) => alert === 'MarketErrors') ?? { expr: '' };
  const probes = new RegExp(`^(${valuesOf('route', [expr])[0] ?? ''})$`);
  expect(new Set(counted.filter((route) => probes.test(route)))).toEqual(
    new Set(['/api/v2/health', '/api/v2/ready', '/metrics']),
  );
  expect(counted.filter((route) => /health|ready|metrics/.test(route) && !probes.test(route))).toEqual([]);
});

describe('the dashboard', () => {
  it('has a title, a unit, a description and targets in each panel', () => {
    expect(shown.length).toBeGreaterThan(25);
    for (const { title, description, fieldConfig, targets: asked = [] } of shown) {
      expect(title).toMatch(/\S/);
      expect([title, description]).toEqual([title, expect.stringMatching(/\S\.$/)]);
      expect([title, fieldConfig?.defaults.unit]).toEqual([title, expect.stringMatching(/^\w+$/)]);
      expect([title, asked.length > 0]).toEqual([title, true]);
    }
  });

  it('asks for the job and the data source that its reader chooses', () => {
    for (const { expr } of targets)
      for (const { metric, labels } of selectors(expr)) expect([metric, labels[0]]).toEqual([metric, 'job']);
    expect(
      new Set(
        valuesOf(
          'job',
          targets.map(({ expr }) => expr),
        ),
      ),
    ).toEqual(new Set(['$job']));
    const sources = JSON.stringify(dashboard).match(/"type":"prometheus","uid":"[^"]*"/g) ?? [];
    expect(new Set(sources)).toEqual(new Set(['"type":"prometheus","uid":"${datasource}"']));
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
  });

  it('names in a legend only labels that the expression keeps', () => {
    for (const { expr, legendFormat } of targets) {
      const isGrouped = /\b(sum|max|min)\b/.test(expr.replace(/^scalar\(max\([^)]*\)\)/, ''));
      const known = selectors(expr).flatMap(({ metric }) => [...(series.get(metric) ?? [])]);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      expect([expr, isGrouped ? grouped(expr) : known]).toEqual([expr, expect.arrayContaining(named)]);
    }
  });

  it('has panels with ids of their own, and none above another', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_cell, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
