/** An agent without an account: it pays for each call, and makes no call that would exceed its budget. */
import type { Bought, PredictionMarketClient } from 'express-prediction-market/client';

export interface AgentOptions {
  /** A client that pays for its calls, made by `createClient` with the option `payWith`. */
  client: PredictionMarketClient;
  /** The most that the agent spends, in USD. */
  budget: number;
  /** How many of the busiest markets the agent asks about. Default 3. */
  markets?: number;
}

export interface Advice {
  marketId: number;
  question: string;
  /** The probability of YES by the market price. */
  market: number;
  /** The probability of YES by the oracle. */
  oracle: number;
}

export interface Report {
  advice: Advice[];
  /** The most that the agent can have paid, in USD. A call counts as paid even if its answer was lost. */
  spent: number;
}

export async function advise({ client, budget, markets = 3 }: AgentOptions): Promise<Report> {
  if (!Number.isFinite(budget) || budget < 0) throw new Error('budget: expected a number of USD');
  const prices = new Map((await client.paid.info()).endpoints.map(({ path, price }) => [path, price]));
  let spent = 0;

  /** Makes the call if the rest of the budget covers its price. Otherwise resolves with `null`. */
  async function buy<Answer>(path: string, call: () => Promise<Bought<Answer>>): Promise<Answer | null> {
    const price = prices.get(path);
    if (typeof price !== 'number') throw new Error(`the service names no price of ${path}`);
    // The tolerance allows for rounding: in floating point, 0.1 + 0.2 is more than 0.3. It is far below the
    // smallest unit of USDC.
    if (spent + price > budget + 1e-9) return null;
    // The price is counted before the call: if the answer is lost, the call may have been paid all the same.
    spent += price;
    return (await call()).answer;
  }

  const feed = await buy('/api/v2/x402/feed', () => client.paid.feed({ limit: markets }));
  const advice: Advice[] = [];
  for (const { id, question, yesPrice } of feed?.markets ?? []) {
    const answer = await buy('/api/v2/x402/oracle/resolve', () => client.paid.resolve({ marketId: id }));
    if (answer === null) break;
    advice.push({ marketId: id, question, market: yesPrice, oracle: answer.probability });
  }
  return { advice, spent };
}
