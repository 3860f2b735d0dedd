/**
 * The code of docs/client.md and of the client in README.md. guide.test.ts compares it with these pages and
 * runs it.
 */
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import {
  createClient,
  fromEip1193,
  fromEthers,
  fromViem,
  isPredictionMarketApiError,
  newIdempotencyKey,
  roundDown,
  type Eip1193Provider,
  type Order,
  type PredictionMarketClient,
} from 'express-prediction-market/client';

export interface World {
  console: { log(...values: unknown[]): void };
  baseUrl: string;
  privateKey: `0x${string}`;
  provider: Eip1193Provider;
  /** Stands for the reader's own database of unanswered orders, by idempotency key. */
  saved: Map<string, Order>;
  address: string;
}

export async function readme({ console }: Pick<World, 'console'>) {
  // example
  const { MARKET_URL = 'http://localhost:3000', PRIVATE_KEY } = process.env;
  if (!PRIVATE_KEY) throw new Error('PRIVATE_KEY is missing: the private key of the wallet');
  const payWith = fromEthers(new Wallet(PRIVATE_KEY));
  const client = createClient({ baseUrl: MARKET_URL, payWith });
  await client.connectWallet(payWith, { label: 'bot', replace: true });
  await client.paid.deposit(25); // play money; where payments are real, 25 USDC of this wallet
  const { markets } = await client.markets.list({ status: 'open', limit: 1 });
  for (const { id } of markets) {
    const trade = await client.trades.place(id, { side: 'YES', amount: 10, maxPrice: 0.95 });
    // the service executes this order once, even if an answer is lost on the way
    console.log(`${trade.shares} shares of market ${id}, ${trade.balance} USD left`);
  }
  if (markets.length === 0) console.log('no market is open');
  // end
}

export async function connect({ console }: World): Promise<PredictionMarketClient> {
  // example
  const client = createClient({ baseUrl: process.env.MARKET_URL as string });
  const wallet = new Wallet(process.env.PRIVATE_KEY as string);
  await client.connectWallet(fromEthers(wallet), { label: 'bot', replace: true });
  const { available } = await client.account.balance();
  console.log('USD to trade with:', available);
  // end
  return client;
}

export async function otherWallets(client: PredictionMarketClient, { privateKey, provider }: World) {
  // example
  await client.connectWallet(fromViem(privateKeyToAccount(privateKey))); // or a wallet client of viem
  await client.connectWallet(fromEip1193(provider)); // in a page: window.ethereum
  // end
}

export async function reading(client: PredictionMarketClient, { console }: World) {
  // example
  for await (const market of client.markets.all({ status: 'open', sort: 'volume_desc' })) {
    if (market.volume < 1) break; // no further page is asked for
    const { quote } = await client.markets.price(market.id, { side: 'YES', amount: 10 });
    console.log(market.question, quote?.shares, quote?.priceImpact);
  }
  for await (const candle of client.markets.allCandles(1, { interval: '5m' })) {
    console.log(candle.time, candle.close);
  }
  // end
}

export async function creating(client: PredictionMarketClient, { console, baseUrl, address }: World) {
  // example
  const operator = createClient({ baseUrl, adminToken: process.env.ADMIN_TOKEN });
  await operator.admin.creators.approve(address); // of the wallet that is connected
  await operator.admin.accounts.deposit(address, { amount: 100, reference: 'transfer 4711' });
  const { id, slug } = await client.markets.create({
    question: 'Will it rain in Paris on New Year?',
    resolutionCriteria: 'Météo-France reports rain for Paris on 1 January.',
    resolveDate: new Date(Date.now() + 30 * 86_400_000).toISOString(), // at least an hour ahead
    category: 'science',
  });
  console.log(id, slug);
  // end
}

export async function ordering(client: PredictionMarketClient, { console }: World) {
  // example
  const { available } = await client.account.balance();
  try {
    const amount = roundDown(available * 0.1); // amounts have at most 6 decimals
    const trade = await client.trades.place(1, { side: 'YES', amount, maxPrice: 0.6 });
    console.log('bought', trade.shares, 'for', trade.totalCost);
  } catch (error) {
    if (!isPredictionMarketApiError(error)) throw error;
    if (error.code === 'SLIPPAGE_EXCEEDED') console.log('the price has moved');
    else if (error.outcome === 'unknown') console.log('perhaps bought:', error.idempotencyKey);
    else throw error;
  }
  // end
}

export async function surviving(client: PredictionMarketClient, { saved }: World) {
  // example
  const order: Order = { side: 'YES', amount: 5, maxPrice: 0.7 };
  const idempotencyKey = newIdempotencyKey();
  saved.set(idempotencyKey, order); // in your database, before the order is sent
  await client.trades.place(1, order, { idempotencyKey });
  saved.delete(idempotencyKey);
  // end
}

export async function limiting({ console, baseUrl }: World) {
  // example
  const client = createClient({
    baseUrl,
    timeoutMs: 5_000, // for one answer
    retry: { attempts: 3, totalMs: 20_000 },
    onAttempt: ({ method, path, status, code, repeatedAfterMs, remaining }) =>
      console.log(method, path, status, code, repeatedAfterMs, remaining),
  });
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  await client.health({ signal: stop.signal });
  // end
}

export async function paying({ console, baseUrl, privateKey }: World) {
  // example
  const payWith = fromEthers(new Wallet(privateKey));
  const client = createClient({ baseUrl, payWith, maxPayment: 0.05 });
  const { answer, receipt } = await client.paid.feed({ limit: 10 });
  console.log(answer.markets.length, receipt?.transaction);
  await client.paid.deposit(25); // pays exactly 25 USD
  // end
}

export async function payingThroughClient({ console, baseUrl, privateKey }: World) {
  // example
  const scheme = new ExactEvmScheme(privateKeyToAccount(privateKey));
  const client = createClient({
    baseUrl,
    payWith: (fetch) =>
      wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: 'eip155:8453', client: scheme }] }),
  });
  const { answer } = await client.paid.resolve({ question: 'Did it rain in Lisbon yesterday?' });
  console.log(answer.outcome, answer.confidence);
  // end
}

export async function payingOnce(client: PredictionMarketClient) {
  // example
  const resolveDate = new Date(Date.now() + 86_400_000).toISOString();
  const market = { question: 'Will it rain tomorrow?', resolveDate, category: 'science' } as const;
  await client.paid.createMarket(market).catch((error: unknown) => {
    if (!isPredictionMarketApiError(error) || error.outcome !== 'unknown') throw error;
    return client.paid.createMarket(market, { payment: error.payment }); // charged once
  });
  // end
}

export async function operating({ console, baseUrl }: World) {
  // example
  const operator = createClient({ baseUrl, adminToken: process.env.ADMIN_TOKEN });
  const { creators } = await operator.admin.creators.list({ status: 'pending' });
  console.log('applications:', creators.length);
  await operator.admin.treasury.deposit({ amount: 500, reference: 'transfer 4712' });
  await operator.admin.markets.resolve(1, { outcome: 'YES', note: 'As the weather office says.' });
  // end
}
