/** Runs the published suite of the oracle port on `resultsOracle`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { oracleConformance, type OracleUnderTest } from 'express-prediction-market/testing';
import { resultsOracle } from './oracle.js';

const KEY = 'the-key-of-the-feed';
const RESULTS = {
  YES: { status: 'final', homeWon: true },
  NO: { status: 'final', homeWon: false },
  NOTHING: { status: 'scheduled' },
};

const asItIs = (body: string): string => body;

/** An oracle with a feed of its own, for one test. */
async function create(): Promise<OracleUnderTest> {
  let answer = '{}';
  let silent: 'nothing' | 'halfBody' | null = null; // the feed takes the question and never completes an answer
  let spoil = asItIs;
  let status = 200;
  let headers = {};
  const feed = createServer((_request, response) => {
    if (silent === 'nothing') return;
    response.writeHead(status, headers);
    if (silent === 'halfBody') response.write('{ "status": "fi');
    else response.end(status === 200 ? spoil(answer) : 'an error');
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => feed.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    feed.closeAllConnections();
    await new Promise((resolve) => feed.close(resolve));
  };
  await listen(0);
  const { port } = feed.address() as AddressInfo;

  return {
    oracle: resultsOracle({
      url: `http://127.0.0.1:${port}`,
      apiKey: KEY,
      fixtureOf: (marketId) => (marketId === 1 ? 'm-17' : null),
      timeoutMs: 3_000,
    }),
    question: () => ({
      question: 'Will Ajax beat PSV?',
      resolutionCriteria: 'The final result of the league.',
      description: null,
      resolveDate: '2030-01-01T00:00:00.000Z',
      asOf: '2030-01-01T00:00:01.000Z',
      marketId: 1,
      tickerId: 'PM-0001',
      slug: 'will-ajax-beat-psv',
      category: 'sports',
      creator: '0x1111111111111111111111111111111111111111',
    }),
    know: async (evidence) => {
      answer = JSON.stringify(RESULTS[evidence]);
    },
    provisional: async (evidence) => {
      answer = JSON.stringify({ ...RESULTS[evidence], status: 'running' });
      return async () => undefined; // the next call of `know` ends it
    },
    confuse: false, // the feed answers about the fixture in the address, and does not name it
    unsure: false, // the feed does not say how sure it is
    stall: async (form) => {
      silent = form;
      return async () => {
        silent = null;
      };
    },
    garble: async (nonsense) => {
      spoil = nonsense;
      return async () => {
        spoil = asItIs;
      };
    },
    failWith: async (error) => {
      status = error;
      return async () => {
        status = 200;
      };
    },
    redirect: async (location) => {
      status = 307;
      headers = { location };
      return async () => {
        status = 200;
        headers = {};
      };
    },
    knownEarly: true, // a game may end before the date of its market
    cutOff: async () => {
      await close();
      return () => listen(port);
    },
    secrets: [KEY],
    destroy: close,
  };
}

oracleConformance({ describe, it, expect }, { create });
