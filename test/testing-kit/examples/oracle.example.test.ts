import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import type { Oracle, OracleAnswer } from 'express-prediction-market';
import { oracleConformance, type OracleUnderTest } from 'express-prediction-market/testing';

/** Reads a feed such as `{ "1": { "happened": true, "final": true, "confidence": 0.97 } }`. It looks a market up by its id, which no creator chooses. */
function feedOracle({ url, timeoutMs = 10_000 }: { url: string; timeoutMs?: number }): Oracle {
  return {
    name: 'feed',
    role: 'authority',
    async ask({ marketId }, { signal } = {}): Promise<OracleAnswer> {
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
      const results = await Promise.race([resultsOf(url, AbortSignal.any(limits)), aborted(limits)]);
      const result = marketId === null ? undefined : results[marketId];
      // A result that may still change is none yet. Without the field, it is not known which of the two it is.
      const happened = result?.final === false ? undefined : result?.happened;
      // The feed has no result for the market yet, or the question belongs to no market.
      if (happened === undefined) return { outcome: 'TOO_EARLY', probability: 0.5, confidence: 0 };
      const confidence = result?.confidence; // a result without it is not certain
      if (result?.final !== true || !isPart(confidence)) throw new Error('the feed left a field out');
      if (happened === true) return { outcome: 'YES', probability: 1, confidence };
      if (happened === false) return { outcome: 'NO', probability: 0, confidence };
      throw new Error('the feed answered in another form than agreed');
    },
  };
}

const isPart = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

async function resultsOf(url: string, signal: AbortSignal): Promise<Record<string, Result>> {
  try {
    const response = await fetch(url, { signal, redirect: 'error' }); // the key goes to no other server
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const results: unknown = await response.json();
    // `null`, a text or a list is not what the feed answers. It does not mean that there is no result.
    if (typeof results !== 'object' || results === null || Array.isArray(results))
      throw new Error('nonsense');
    return results as Record<string, Result>;
  } catch {
    // The address may contain a key, so the message does not repeat it.
    throw new Error('the feed did not answer');
  }
}

/** Rejects when a signal is aborted. Node 20 may forget a signal that only `fetch` and `AbortSignal.any` know. */
function aborted(signals: AbortSignal[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of signals) signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
}

interface Result {
  happened?: unknown;
  final?: unknown;
  confidence?: unknown;
}

const KEY = 'a-secret-of-the-feed';

async function feed(): Promise<OracleUnderTest> {
  let results: object = {};
  const say = (market: number, evidence: string, { final = true, confidence = 0.97 } = {}) => {
    results = evidence === 'NOTHING' ? {} : { [market]: { happened: evidence === 'YES', final, confidence } };
  };
  let silent: 'nothing' | 'halfBody' | null = null;
  let status = 200;
  let headers = {};
  let spoil = (body: string): string => body;
  const server = createServer((_request, response) => {
    if (silent === 'nothing') return;
    if (silent === 'halfBody') return void response.writeHead(200).write('{"1":');
    response
      .writeHead(status, headers)
      .end(status === 200 ? spoil(JSON.stringify(results)) : '{"error":"busy"}');
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const restore = async () => {
    silent = null;
    status = 200;
    headers = {};
    spoil = (body) => body;
  };
  return {
    oracle: feedOracle({ url: `http://127.0.0.1:${port}/results?key=${KEY}`, timeoutMs: 3_000 }),
    question: () => ({
      question: 'Will it rain?',
      resolutionCriteria: 'Look out of the window.',
      description: null,
      resolveDate: '2030-01-01T00:00:00.000Z',
      asOf: '2030-01-02T00:00:00.000Z',
      marketId: 1,
      tickerId: 'PM-0001',
      slug: 'will-it-rain',
      category: 'science',
      creator: '0x1111111111111111111111111111111111111111',
    }),
    know: async (evidence: 'YES' | 'NO' | 'NOTHING') => say(1, evidence),
    provisional: async (evidence: 'YES' | 'NO') => {
      say(1, evidence, { final: false });
      return restore;
    },
    confuse: async (evidence: 'YES' | 'NO') => {
      say(2, evidence); // the suite asks about market 1
      return restore;
    },
    unsure: async (evidence: 'YES' | 'NO') => {
      say(1, evidence, { confidence: 0.3 });
      return restore; // the next call of `know` ends it
    },
    stall: async (form: 'nothing' | 'halfBody') => {
      silent = form;
      return restore;
    },
    garble: async (nonsense: (body: string) => string) => {
      spoil = nonsense; // the suite makes the nonsense
      return restore;
    },
    failWith: async (error: number) => {
      status = error; // 19 statuses from 202 to 504
      return restore;
    },
    redirect: async (location: string) => {
      status = 307;
      headers = { location };
      return restore;
    },
    knownEarly: true, // the feed may have the outcome before the resolve date
    cutOff: async () => {
      await close();
      return () => listen(port);
    },
    secrets: [KEY],
    destroy: close,
  };
}

oracleConformance({ describe, it, expect }, { create: feed });
