/** Sample rows of a resolution. A test can replace each field. */
import type { ResolutionRound, ResolutionState } from '../../src/domain/oracle/resolution-state';
import type { Vote } from '../../src/domain/oracle/vote';
import { hex, NOW } from './samples';

export const sampleVote = (fields: Partial<Vote> = {}): Vote => ({
  oracle: 'judge',
  model: 'model-1',
  outcome: 'YES',
  probability: 0.97,
  confidence: 0.875,
  citations: [
    { url: 'https://example.org/', title: 'Wetter ☔', quote: null, publishedAt: null, retrievedAt: null },
  ],
  reasoning: 'It rained.\u0000\ud800 „≠“',
  latencyMs: 12,
  costUsd: 0.001,
  promptHash: hex('prompt', 64),
  ...fields,
});

export const sampleRound = (marketId: number, fields: Partial<ResolutionRound> = {}): ResolutionRound => ({
  marketId,
  round: 1,
  status: 'asking',
  leaseToken: 1,
  startedAt: NOW,
  endedAt: null,
  votes: [],
  verdict: null,
  calls: 1,
  costMicros: 0n,
  ...fields,
});

export const sampleResolution = (
  marketId: number,
  fields: Partial<ResolutionState> = {},
): ResolutionState => ({
  marketId,
  status: 'waiting',
  history: { rounds: 0, disagreements: 0, fruitless: 0, hasSplit: false, unanimous: null },
  lastOutcome: null,
  proposal: null,
  nextAttemptAt: NOW,
  updatedAt: NOW,
  ...fields,
});
