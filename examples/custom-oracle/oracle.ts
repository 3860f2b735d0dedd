/**
 * An oracle that takes results from a data feed of the host. It is an authority: its answer alone resolves a
 * market.
 */
import type { Oracle, OracleAnswer } from 'express-prediction-market';

export interface ResultsOracleOptions {
  /** The address of the feed. It answers `GET <url>/<fixture>` with `{ "status": "final", "homeWon": true }`. */
  url: string;
  apiKey: string;
  /** The fixture that a market is about; `null` for a market that is not about a fixture. */
  fixtureOf: (marketId: number) => string | null;
  timeoutMs?: number;
}

export function resultsOracle({ url, apiKey, fixtureOf, timeoutMs = 10_000 }: ResultsOracleOptions): Oracle {
  return {
    name: 'results',
    role: 'authority', // one confident answer resolves the market, and the winners are paid
    async ask({ marketId }, { signal } = {}): Promise<OracleAnswer> {
      // `fixtureOf` finds the fixture by the number of the market. The text of the question is not used,
      // because it may come from a stranger.
      const fixture = marketId === null ? null : fixtureOf(marketId);
      if (fixture === null) return abstain('UNKNOWN');
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
      const { status, homeWon } = await Promise.race([
        resultOf(fixture, AbortSignal.any(limits)),
        aborted(limits),
      ]);
      if (status === 'scheduled' || status === 'running') return abstain('TOO_EARLY');
      if (status === 'final' && homeWon === true) return { outcome: 'YES', probability: 1, confidence: 1 };
      if (status === 'final' && homeWon === false) return { outcome: 'NO', probability: 0, confidence: 1 };
      // The answer does not have the agreed form, so the result is not known. A guess might pay the wrong
      // side.
      throw new Error('the feed answered in another form than agreed');
    },
  };

  async function resultOf(
    fixture: string,
    signal: AbortSignal,
  ): Promise<{ status?: unknown; homeWon?: unknown }> {
    let response: Response;
    try {
      const headers = { Authorization: `Bearer ${apiKey}` };
      response = await fetch(`${url}/${encodeURIComponent(fixture)}`, { headers, signal, redirect: 'error' });
    } catch {
      // Operators read this message. It does not repeat the cause, which may contain the address or the API
      // key.
      throw new Error('the feed did not answer');
    }
    if (!response.ok) throw new Error(`the feed answered with HTTP ${response.status}`);
    const body: unknown = await response.json().catch(() => null);
    return typeof body === 'object' && body !== null ? body : {};
  }
}

/** Rejects when a signal is aborted. Node 20 may forget a signal that only `fetch` and `AbortSignal.any` know. */
function aborted(signals: AbortSignal[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of signals) signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
}

/** An abstention. The service asks again later, as it does after `ask` has rejected. */
function abstain(outcome: 'TOO_EARLY' | 'UNKNOWN'): OracleAnswer {
  return { outcome, probability: 0.5, confidence: 0 };
}
