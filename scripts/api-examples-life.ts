/** Calls the operations of the API, except its documents, during the lives of two markets, for `build:examples`. */
import type { Wallet } from 'ethers';
import { fromEthers, type PredictionMarketClient } from '../src/client/index';
import type { Oracle, OracleVote } from '../src/ports/oracle';
import type { TestMarket } from '../testing/index';

const HOUR_MS = 3_600_000;

export const RAIN = {
  question: 'Will it rain in Lisbon on 1 February 2030?',
  resolutionCriteria: 'YES if the weather office measures any rain at its station in Lisbon on that day.',
  resolveDate: '2030-02-02T00:00:00.000Z',
  category: 'science',
} as const;
const SNOW = {
  question: 'Will it snow in Lisbon in January 2030?',
  resolutionCriteria: 'YES if the weather office measures any snow at its station in Lisbon.',
  resolveDate: '2030-02-01T00:00:00.000Z',
  category: 'science',
} as const;
const HEAT = {
  question: 'Will it be warmer than 20 °C in Lisbon on 1 March 2030?',
  resolveDate: '2030-03-02T00:00:00.000Z',
  category: 'science',
} as const;

export interface Stage {
  test: TestMarket<Oracle>;
  /** This client has no key. The operators' routes let it in, because no host guards them here. */
  anonymous: PredictionMarketClient;
  creator: PredictionMarketClient;
  trader: PredictionMarketClient;
  wallets: Record<'creator' | 'trader' | 'other', Wallet>;
  askForStream(channels: string): Promise<unknown>;
  receiver: string;
}

/** Two voters agree about the rain. About the snow only one voter has a vote, and one voter cannot decide. */
export const weatherOracle: Oracle = {
  name: 'weather',
  role: 'judge',
  async ask({ question }) {
    const station: OracleVote = {
      ...{ oracle: 'weather station', outcome: 'YES', probability: 0.98, confidence: 0.95, latencyMs: 640 },
      reasoning: 'The station has measured 4 mm.',
      citations: [{ url: 'https://example.com/lisbon', title: 'Measurements in Lisbon' }],
    };
    const newspaper: OracleVote = {
      ...{ oracle: 'newspaper', outcome: 'YES', probability: 0.94, confidence: 0.9, latencyMs: 1_280 },
      reasoning: 'The newspaper reports it.',
      citations: [{ url: 'https://example.com/news', title: 'A wet day in Lisbon' }],
    };
    const votes = question === SNOW.question ? [station] : [station, newspaper];
    return { outcome: 'YES', probability: 0.96, confidence: 0.92, reasoning: station.reasoning ?? '', votes };
  },
};

const STEPS: readonly ((stage: Stage) => Promise<void>)[] = [
  beginWebhooks,
  beginKeysAndCreators,
  openMarkets,
  trade,
  readMarkets,
  readAccount,
  withdraw,
  payPerRequest,
  parkFacts,
  decideOutcomes,
  endWebhooks,
  decidePayments,
  endKeys,
  readBooks,
];

export async function liveThrough(stage: Stage): Promise<void> {
  for (const step of STEPS) {
    await step(stage);
    await stage.test.runJobs();
  }
}

/** Work in the background ends before the clock moves, so that each run has the same times. */
async function passTime({ test }: Stage, milliseconds: number): Promise<void> {
  await test.runJobs();
  test.clock.advance(milliseconds);
}

async function beginWebhooks({ anonymous: { admin }, receiver }: Stage): Promise<void> {
  const description = 'Pays out of our own books';
  await admin.webhooks.create({ url: receiver, description, events: ['trade', 'market.resolved'] });
  // This webhook gets every kind of message. The first webhook is removed below, because two webhooks would number
  // their deliveries in any order.
  await admin.webhooks.create({ url: receiver });
  await admin.webhooks.list();
  await admin.webhooks.remove(1);
}

async function beginKeysAndCreators(stage: Stage): Promise<void> {
  const { anonymous, creator, trader, wallets } = stage;
  await anonymous.health();
  await anonymous.ready();
  const watcher = { label: 'price watcher', scopes: ['markets:read' as const] };
  await anonymous.keys.issue(fromEthers(wallets.trader), watcher);
  await trader.connectWallet(fromEthers(wallets.trader), { label: 'trading bot' });
  await creator.connectWallet(fromEthers(wallets.creator), { label: 'weather office' });
  await anonymous.keys.list(wallets.trader.address);
  await anonymous.admin.keys.list(wallets.trader.address);
  await passTime(stage, HOUR_MS);
  const application = {
    displayName: 'Weather office',
    statement: 'We publish the measurements of each day.',
  };
  await anonymous.creators.apply(fromEthers(wallets.creator), application);
  await anonymous.creators.apply(fromEthers(wallets.other), { displayName: 'Another office' });
  await anonymous.admin.creators.list({ status: 'pending', limit: 2 });
  await anonymous.admin.creators.approve(wallets.creator.address);
  await anonymous.creators.status(wallets.creator.address);
  await anonymous.admin.creators.reject(wallets.other.address, 'Apply again with a statement.');
  await anonymous.admin.creators.suspend(wallets.other.address, 'Its markets had no clear criteria.');
}

async function openMarkets(stage: Stage): Promise<void> {
  const { anonymous, creator, wallets } = stage;
  const { admin } = anonymous;
  await admin.treasury.deposit({ amount: 1_000, reference: 'capital of January 2030' });
  await creator.markets.create(RAIN);
  await creator.markets.create({ ...SNOW, description: 'Hail does not count.' });
  await admin.accounts.deposit(wallets.trader.address, { amount: 100, reference: 'bank transfer 2030-0001' });
  await admin.accounts.get(wallets.trader.address);
  await passTime(stage, HOUR_MS);
}

async function trade(stage: Stage): Promise<void> {
  const { trader } = stage;
  await trader.markets.price(1, { side: 'YES', amount: 10 });
  await trader.trades.place(1, { side: 'YES', amount: 10, maxPrice: 0.6 });
  await passTime(stage, HOUR_MS);
  await trader.trades.place(1, { side: 'YES', action: 'sell', shares: 5 });
  await trader.trades.place(2, { side: 'NO', amount: 20 });
}

async function readMarkets({ trader, askForStream }: Stage): Promise<void> {
  await trader.markets.list({ status: 'open', category: 'science', limit: 2 });
  await trader.markets.get(1);
  await trader.markets.candles(1, { interval: '1h', limit: 2 });
  await trader.trades.list(1, { limit: 2 });
  await askForStream('trades,market:1');
}

async function readAccount({ creator, trader }: Stage): Promise<void> {
  await trader.account.balance();
  await trader.account.positions({ status: 'open', limit: 2 });
  await trader.account.history({ limit: 2 });
  await trader.account.deposits();
  await creator.account.earnings({ limit: 2 });
  await trader.account.limits();
}

async function withdraw(stage: Stage): Promise<void> {
  const { test, anonymous, trader } = stage;
  const { admin } = anonymous;
  const transaction = `0x${'7a'.repeat(32)}`;
  test.payout.progressWith({ status: 'pending' });
  await trader.withdrawals.request(20);
  await trader.withdrawals.request(5);
  await test.runJobs();
  await trader.withdrawals.list();
  await trader.withdrawals.get(1);
  await admin.withdrawals.list();
  await passTime(stage, HOUR_MS);
  await admin.withdrawals.confirm(1, transaction);
  await admin.withdrawals.fail(2, 'Another transaction has used its nonce.');
  await readWallet(stage);
}

async function readWallet({ anonymous, wallets }: Stage): Promise<void> {
  const { accounts } = anonymous.admin;
  await accounts.deposits(wallets.trader.address, { limit: 2 });
  await accounts.withdrawals(wallets.trader.address, { limit: 2 });
  await accounts.postings(wallets.trader.address, { limit: 2 });
}

async function payPerRequest({ creator: { paid } }: Stage): Promise<void> {
  await paid.info();
  await paid.feed({ category: 'science', limit: 2 });
  await paid.resolve({ question: 'Did it rain in Lisbon on 1 January 2030?' });
  await paid.createMarket(HEAT);
  await paid.deposit(25);
}

/** A consumer fails on every fact and then stops. Operators decide about the facts that it has put aside. */
async function parkFacts({ test, anonymous: { admin } }: Stage): Promise<void> {
  const fail = (): Promise<void> => Promise.reject(new Error('The books are closed.'));
  const handle = await test.pm.consume('books', fail, { from: 'oldest', attempts: 1 });
  await test.runJobs();
  await handle.stop();
  await admin.consumers.list();
  const { parked } = await admin.consumers.parked('books', { limit: 2 });
  const [first, second] = parked.map(({ id }) => id);
  await admin.consumers.redo('books', { fact: first ?? '' });
  await admin.consumers.skip('books', second ?? '');
  await admin.consumers.resume('books', { from: 'now' });
  await admin.consumers.remove('books');
}

async function decideOutcomes(stage: Stage): Promise<void> {
  const { test, anonymous, trader } = stage;
  const { admin } = anonymous;
  test.clock.set(SNOW.resolveDate);
  await passTime(stage, 18 * HOUR_MS);
  await admin.markets.close(1);
  await test.runJobs();
  await admin.markets.list({ limit: 2 });
  await admin.resolutions.list({ limit: 2 });
  await admin.markets.resolution(2);
  await admin.markets.retryResolution(2);
  await test.runJobs();
  await admin.markets.resolve(2, { outcome: 'NO', note: 'The station has measured hail.' });
  await passTime(stage, 2 * HOUR_MS);
  await test.runJobs();
  await trader.markets.resolution(1);
}

async function endWebhooks({ test, anonymous: { admin } }: Stage): Promise<void> {
  const { deliveries } = await admin.webhooks.deliveries(2, { limit: 2 });
  await admin.webhooks.rotate(2, { overlapSeconds: 86_400 });
  await admin.webhooks.replay(2, deliveries[0]?.seq ?? 1);
  await test.runJobs();
  await admin.webhooks.enable(2);
}

/** The facilitator does not know what became of two payments, so operators decide about them. */
async function decidePayments({ test, anonymous: { admin }, creator }: Stage): Promise<void> {
  test.facilitator.settleWith({ status: 'unknown', reason: 'no answer in time' });
  test.facilitator.lookupWith({ status: 'unknown', reason: 'there is no chain to ask' });
  for (let count = 0; count < 2; count += 1)
    await creator.paid.feed({ limit: 2 }).catch((error: { code?: unknown }) => {
      if (error.code !== 'SETTLEMENT_PENDING') throw error;
    });
  const { payments } = await admin.payments.list({ status: 'submitted', limit: 2 });
  const [newest, oldest] = payments.map(({ id }) => id);
  await admin.payments.confirm(oldest ?? 0, { reason: 'The explorer shows the transfer.' });
  await admin.payments.reject(newest ?? 0, {
    reason: 'Its time is over, and the explorer shows no transfer.',
  });
}

async function endKeys({ anonymous, wallets }: Stage): Promise<void> {
  const { id } = await anonymous.keys.regenerate(fromEthers(wallets.trader), 1);
  await anonymous.keys.revoke(fromEthers(wallets.trader), id);
  await anonymous.admin.keys.update(2, { rateLimit: 600 });
  await anonymous.admin.keys.revoke(2);
}

async function readBooks({ anonymous: { admin } }: Stage): Promise<void> {
  await admin.treasury.get();
  await admin.log.list({ limit: 2 });
  await admin.alarms();
  await admin.audit();
}
