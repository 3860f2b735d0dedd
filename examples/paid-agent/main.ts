import { advise } from './agent.js';
import { payingClient } from './pay.js';

async function main(): Promise<void> {
  const { MARKET_URL = 'http://localhost:3000', PRIVATE_KEY, BUDGET = '0.2' } = process.env;
  if (PRIVATE_KEY === undefined)
    throw new Error('set PRIVATE_KEY to the key of a wallet that holds USDC on Base');
  const budget = Number(BUDGET);
  // A budget of NaN would set no limit, because no price is greater than NaN.
  if (BUDGET.trim() === '' || !Number.isFinite(budget) || budget < 0)
    throw new Error(`BUDGET: expected a number of USD, got "${BUDGET}"`);
  const client = payingClient(MARKET_URL, PRIVATE_KEY as `0x${string}`);
  const { advice, spent } = await advise({ client, budget });
  for (const { question, market, oracle } of advice)
    console.log(`${question} traders ${market.toFixed(2)}, oracle ${oracle.toFixed(2)}`);
  console.log(`paid at most ${spent.toFixed(3)} USD`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
