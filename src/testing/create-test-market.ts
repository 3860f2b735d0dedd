import type { Wallet } from 'ethers';
import type { PredictionMarketOptions } from '../config';
import { createPredictionMarket, type PredictionMarket } from '../create-prediction-market';
import type { CreateMarketInput } from '../operations-types';
import type { Random } from '../ports/random';
import type { Storage } from '../ports/storage';
import type { DepositView, MarketDetailView } from '../views/types';
import { fakeFacilitator, type FakeFacilitator } from './fake-facilitator';
import { fakeOracle, type FakeOracle } from './fake-oracle';
import { fakePayout, type FakePayout } from './fake-payout';
import { seededRandom } from './seeded-random';
import { testClock, type TestClock } from './test-clock';
import { testWallet, testWallets } from './test-wallets';

/** Everything that `createPredictionMarket` takes, but for what the kit puts in itself; all of it optional. */
export interface TestMarketOptions extends Partial<
  Omit<PredictionMarketOptions, 'clock' | 'random' | 'oracle' | 'facilitator' | 'payout'>
> {
  /** Where the clock stands at first: milliseconds or ISO 8601; default 2030-01-01. */
  startAt?: number | string;
  /** Of keys, nonces and slugs; default 1. */
  seed?: string | number;
}

/** A started market in a world that stands still: time, chance, oracle and payments are the test's. */
export interface TestMarket {
  readonly pm: PredictionMarket;
  readonly clock: TestClock;
  readonly random: Random;
  readonly oracle: FakeOracle;
  readonly facilitator: FakeFacilitator;
  readonly payout: FakePayout;
  /** A wallet that signs, the same for the same name in every run. */
  wallet(name: string | number): Wallet;
  /** `wallet(0)` to `wallet(count - 1)`. */
  wallets(count: number): Wallet[];
  /** Credits USD to a wallet. */
  fund(wallet: AddressOf, usd: number): Promise<DepositView>;
  approveCreator(wallet: AddressOf): Promise<void>;
  /** Opens a market by an approved creator; what is left out is made up, the resolve date is a day ahead. */
  createMarket(input?: TestMarketInput): Promise<MarketDetailView>;
  /** The raw API key of a wallet, issued by signing when it is first asked for. */
  apiKey(wallet: Wallet): Promise<string>;
  /** Closes, resolves and pays what is due by the clock, then delivers events; ends when nothing is left to do. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
}

/** A wallet, or just its address. */
export type AddressOf = { address: string } | string;
export type TestMarketInput = Partial<Omit<CreateMarketInput, 'creator'>> & { creator?: AddressOf };

const DAY_MS = 86_400_000;

export async function createTestMarketOn(
  storage: Storage,
  { startAt, seed, ...options }: TestMarketOptions,
): Promise<TestMarket> {
  const clock = testClock(startAt);
  const random = seededRandom(seed);
  const oracle = fakeOracle();
  const facilitator = fakeFacilitator();
  const payout = fakePayout();
  const pm = createPredictionMarket({
    storage,
    payTo: testWallet('payee').address,
    // Real time does not drive a test: jobs run by `runJobs` and by what the test itself sets off.
    resolutionIntervalMs: DAY_MS,
    ...options,
    clock,
    random,
    oracle,
    facilitator,
    payout,
  });
  await pm.start();
  return {
    pm,
    clock,
    random,
    oracle,
    facilitator,
    payout,
    wallet: testWallet,
    wallets: testWallets,
    ...helpers(pm, clock),
    runJobs: () => pm.runJobs(),
    close: () => pm.close(),
  };
}

type Helpers = Pick<TestMarket, 'fund' | 'approveCreator' | 'createMarket' | 'apiKey'>;

function helpers(pm: PredictionMarket, clock: TestClock): Helpers {
  let made = 0;
  const keys = new Map<string, Promise<string>>();

  async function approveCreator(wallet: AddressOf): Promise<void> {
    await pm.approveCreator({ address: addressOf(wallet) });
  }

  return {
    approveCreator,
    fund: (wallet, usd) => {
      made += 1;
      return pm.deposit({ address: addressOf(wallet), amount: usd, reference: `test-fund-${made}` });
    },
    async createMarket({ creator = testWallet('creator'), ...input } = {}) {
      made += 1;
      await approveCreator(creator);
      return pm.createMarket({
        question: `Will test market ${made} resolve to yes?`,
        resolutionCriteria: 'Whatever the test says.',
        resolveDate: new Date(clock.now() + DAY_MS).toISOString(),
        category: 'other',
        ...input,
        creator: addressOf(creator),
      });
    },
    apiKey(wallet) {
      const key = keys.get(wallet.address) ?? issueKey(pm, wallet);
      keys.set(wallet.address, key);
      return key;
    },
  };
}

function addressOf(wallet: AddressOf): string {
  return typeof wallet === 'string' ? wallet : wallet.address;
}

async function issueKey(pm: PredictionMarket, wallet: Wallet): Promise<string> {
  const { address } = wallet;
  const { message, nonce } = await pm.issueChallenge({ address, action: 'issue' });
  const signature = await wallet.signMessage(message);
  const { apiKey } = await pm.issueKey({ address, message, signature, nonce });
  return apiKey;
}
