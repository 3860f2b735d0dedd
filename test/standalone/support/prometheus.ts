import { memoryRateLimit } from '../../../src/rate-limit/memory';
import express from 'express';
import request from 'supertest';
import type { Vote } from '../../../src/domain/oracle/vote';
import type { Standalone } from '../../../examples/standalone';
import { createMetrics } from '../../../examples/standalone/metrics';
import { randomWallet } from '../../support/random-wallet';

/** The labels that Prometheus adds to each series. */
export const OF_PROMETHEUS = ['job', 'instance'];

/** Causes events of many kinds, so that the metrics with labels have series. */
export async function happen({ market }: Standalone): Promise<void> {
  const { address } = randomWallet();
  await market.approveCreator({ address });
  await market.deposit({ address, amount: 100, reference: 'dashboard' });
  const { id } = await market.createMarket({
    creator: address,
    question: 'Does the dashboard show this?',
    resolutionCriteria: 'By the metrics.',
    resolveDate: new Date(Date.now() + 48 * 3_600_000).toISOString(),
    category: 'other',
  });
  await market.placeTrade({ wallet: address, market: id, side: 'YES', amount: 10 });
  await market.createWebhook({ url: 'https://receiver.example/' });
  await (await market.consume('mails', () => undefined)).stop();
  await market.closeMarket({ market: id });
  await market.runJobs();
}

/** Returns metrics with series that `happen` does not cause, such as refused sockets and the costs of a voter. */
export async function rareMetrics({ market }: Standalone): Promise<string> {
  const figures = market.liveFigures();
  const metrics = createMetrics();
  metrics.observeMarket({
    ...market,
    liveFigures: () => ({
      ...figures,
      sockets: { ...figures.sockets, closed: { 1013: 1 }, refused: { 429: 1 } },
    }),
  });
  metrics.observeRateLimit({ ...memoryRateLimit(), figures: () => ({ reachable: true, errors: 1 }) });
  const vote: Vote = {
    ...{ oracle: 'model', model: null, outcome: 'YES', probability: 1, confidence: 1 },
    ...{ citations: [], reasoning: '', latencyMs: 1, costUsd: 0.01 },
  };
  metrics.countRound({ marketId: 1, round: 1, finding: 'no-quorum', decision: 'again', votes: [vote] });
  return (await request(express().get('/metrics', metrics.serve)).get('/metrics')).text;
}

/** The labels of each series of a scrape, by the name of the series. */
export function labelsOf(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', inside = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name) ?? new Set(OF_PROMETHEUS);
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}

/** An expression without its strings. */
export const bare = (expr: string): string => expr.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** Each metric of an expression with the labels that its selector names. */
export function selectors(expr: string): { metric: string; labels: string[] }[] {
  const named = /\b([a-z]\w*)\{([^}]*)\}|\b((?:prediction_market|http|process|nodejs)_\w+)/g;
  return [...bare(expr).matchAll(named)].map(([, selected, inside = '', alone = '']) => ({
    metric: selected ?? alone,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

/** The labels in the `by`, `on` and `ignoring` clauses of an expression. */
export const grouped = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:by|on|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
