import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import request from 'supertest';
import { createApp } from '../../examples/standalone';
import { ALARM_NAMES } from '../../src/usecases/alarms';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

const { groups } = parseYaml(readFileSync('ops/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

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
  const standalone = createApp({
    DATABASE_URL: 'memory:',
    LOG_LEVEL: 'silent',
    SITE_URL: 'https://market.example',
  });
  await standalone.start();
  try {
    expect((await request(standalone.app).get('/oembed?format=xml')).status).toBe(501);
    const { expr } = rules.find(({ alert }) => alert === 'MarketErrors') ?? { expr: '' };
    expect(expr).toContain('{status=~"5..",status!="501"}');
  } finally {
    await standalone.close();
  }
});

it('each metric and each alarm that the alerting rules name exists', async () => {
  const standalone = createApp({ DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' });
  await standalone.start();
  try {
    const { text } = await request(standalone.app).get('/metrics');
    const existing = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name]) => name));
    const named = rules.flatMap(({ expr }) => expr.match(/\b(?:prediction_market|http|process)_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !existing.has(name.replace(/_count$/, '')))).toEqual([]);
    const alarms = rules.flatMap(({ expr }) => /alarm[=!]~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? []);
    expect(alarms.filter((alarm) => !(ALARM_NAMES as readonly string[]).includes(alarm))).toEqual([]);
  } finally {
    await standalone.close();
  }
});
