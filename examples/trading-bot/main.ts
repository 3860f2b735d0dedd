import { Wallet } from 'ethers';
import { createClient, fromEthers } from 'express-prediction-market/client';
import { WebSocket } from 'ws';
import { runBot } from './bot.js';

/** `1=0.7,2=0.25`: the bot believes that market 1 has a probability of 0.7. */
function opinionsOf(text: string): Map<number, number> {
  return new Map(
    text.split(',').map((pair) => {
      const [market, fair] = pair.split('=').map(Number);
      if (market === undefined || fair === undefined || !(fair > 0 && fair < 1))
        throw new Error('OPINIONS must look like 1=0.7,2=0.25');
      return [market, fair];
    }),
  );
}

async function main(): Promise<void> {
  const { MARKET_URL = 'http://localhost:3000', PRIVATE_KEY, OPINIONS = '1=0.7', DEPOSIT } = process.env;
  if (PRIVATE_KEY === undefined) throw new Error('set PRIVATE_KEY to the key of a wallet for this bot alone');
  const wallet = fromEthers(new Wallet(PRIVATE_KEY));
  const client = createClient({ baseUrl: MARKET_URL, WebSocket, payWith: wallet });
  // `replace`: the new key replaces the key of the previous start. A wallet can have only five keys.
  await client.connectWallet(wallet, { label: 'bot', replace: true });
  // If `DEPOSIT` is set, the wallet pays this sum at every start: play money, or USDC where payments are
  // real.
  if (DEPOSIT !== undefined) await client.paid.deposit(Number(DEPOSIT));
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort()).once('SIGINT', () => stop.abort());
  const opinions = opinionsOf(OPINIONS);
  await runBot({ client, opinions, edge: 0.05, stake: 5, budget: 50, signal: stop.signal });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
