import { isRecord, kindOf } from '../src/domain/options';
import type { Wallet } from 'ethers';
import type { PredictionMarketOptions } from '../src/prediction-market-options';
import { memoryStorage } from '../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../src/create-prediction-market';
import type { CreateMarketInput } from '../src/inputs';
import {
  checkOptions,
  implementing,
  mustBe,
  optional,
  withoutUndefined,
  type Check,
  type Checks,
} from '../src/domain/options';
import { OPTION_CHECKS } from '../src/option-checks';
import type { Facilitator } from '../src/ports/facilitator';
import type { Oracle } from '../src/ports/oracle';
import type { Payout } from '../src/ports/payout';
import type { Random } from '../src/ports/random';
import type { DepositView } from '../src/views/account';
import type { MarketDetailView } from '../src/views/market';
import { fakeFacilitator, type FakeFacilitator } from './fake-facilitator';
import { fakeOracle, forgottenHold, type FakeOracle } from './fake-oracle';
import { fakePayout, type FakePayout } from './fake-payout';
import { seededRandom } from './seeded-random';
import { testClock, type TestClock } from './test-clock';
import { addressOf, addressOfWallet, testWallet, testWallets } from './test-wallets';

type AllOptional<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/**
 * The options of `createPredictionMarket`, all optional. The kit fills in what is left out. `keyRateLimit` and
 * `addressRateLimit` default to 1,000,000.
 */
export interface TestMarketOptions<
  TestedOracle extends Oracle = Oracle,
  TestedFacilitator extends Facilitator = Facilitator,
  TestedPayout extends Payout = Payout,
> extends AllOptional<PredictionMarketOptions> {
  /** Decides the outcomes. Default: `fakeOracle()`. */
  oracle?: TestedOracle | undefined;
  /** Checks and settles payments. Default: `fakeFacilitator()`. */
  facilitator?: TestedFacilitator | undefined;
  /** Sends withdrawals. Default: `fakePayout()`. */
  payout?: TestedPayout | undefined;
  /**
   * The clock of the market. Give one if an adapter needs the same clock. Default: a clock that stands still at
   * `startAt`.
   */
  clock?: TestClock | undefined;
  /** The first time of the clock, in milliseconds or ISO 8601. Default 2030-01-01. */
  startAt?: number | string | undefined;
  /** The seed of keys, nonces and slugs. Default 1. */
  seed?: string | number | undefined;
}

/** A started market for tests. A test controls its time, randomness, oracle and payments. */
export interface TestMarket<
  TestedOracle extends Oracle = FakeOracle,
  TestedFacilitator extends Facilitator = FakeFacilitator,
  TestedPayout extends Payout = FakePayout,
> {
  /** The started market, as `createPredictionMarket` returns it. */
  readonly pm: PredictionMarket;
  /** The clock of the market. Only the test moves it. */
  readonly clock: TestClock;
  /** The source of keys, nonces and slugs. The same seed gives the same ones. */
  readonly random: Random;
  /** The given oracle, or a fake oracle whose answers the test sets. */
  readonly oracle: TestedOracle;
  /** The given facilitator, or a fake one. */
  readonly facilitator: TestedFacilitator;
  /** The given payout, or a fake one. */
  readonly payout: TestedPayout;
  /** A wallet that can sign. The same name gives the same wallet in every run. */
  wallet(name: string | number): Wallet;
  /** The wallets `wallet(0)` to `wallet(count - 1)`. */
  wallets(count: number): Wallet[];
  /** Credits USD to a wallet. */
  fund(wallet: AddressOf, usd: number): Promise<DepositView>;
  /** Lets a wallet create markets. */
  approveCreator(wallet: AddressOf): Promise<void>;
  /**
   * Approves the creator and opens a market. Fields that are left out get default values. The default resolve
   * date is a day ahead.
   */
  createMarket(input?: TestMarketInput): Promise<MarketDetailView>;
  /** The raw API key of a wallet. The first call issues it with a signature. */
  apiKey(wallet: Wallet): Promise<string>;
  /**
   * Runs every job until nothing is due by the clock, such as closing, resolving and paying out markets, sending
   * withdrawals and delivering events.
   */
  runJobs(): Promise<void>;
  /**
   * Closes the market.
   *
   * @throws Error if a question still waits because of `oracle.hold()`. The market is closed then too.
   */
  close(): Promise<void>;
}

/** A wallet or its address. */
export type AddressOf = { address: string } | string;
export type TestMarketInput = Partial<Omit<CreateMarketInput, 'creator'>> & { creator?: AddressOf };

const DAY_MS = 86_400_000;
/** The largest number that `createPredictionMarket` takes. */
const LARGEST_QUOTA = 1_000_000;

/**
 * A started market on memory storage with a clock that stands still, seeded randomness, a fake oracle, a fake
 * facilitator and a fake payout. The options `storage`, `clock`, `random`, `oracle`, `facilitator` and `payout`
 * each replace the default.
 *
 * ```ts
 * const test = await createTestMarket();
 * const alice = test.wallet('alice');
 * await test.fund(alice, 100);
 * const market = await test.createMarket({ question: 'Will it rain?' });
 * await test.pm.placeTrade({ wallet: alice.address, market: market.id, side: 'YES', amount: 10 });
 *
 * test.oracle.answer('YES');
 * test.clock.advance(24 * 3_600_000);
 * await test.runJobs(); // closed by the clock, resolved by the oracle, Alice is paid
 * await test.close();
 * ```
 */
export async function createTestMarket<
  TestedOracle extends Oracle = FakeOracle,
  TestedFacilitator extends Facilitator = FakeFacilitator,
  TestedPayout extends Payout = FakePayout,
>(
  options: TestMarketOptions<TestedOracle, TestedFacilitator, TestedPayout> = {},
): Promise<TestMarket<TestedOracle, TestedFacilitator, TestedPayout>> {
  const market = await startTestMarket(options);
  // The kit uses a fake for each port that was not given, and the types default to the same fakes. The compiler cannot
  // see that.
  return market as unknown as TestMarket<TestedOracle, TestedFacilitator, TestedPayout>;
}

async function startTestMarket(given: TestMarketOptions): Promise<TestMarket<Oracle, Facilitator, Payout>> {
  refuseOther(given);
  const { startAt, seed, ...options } = given;
  checkOwn(given);
  const {
    storage = memoryStorage(),
    clock = testClock(startAt),
    random = seededRandom(seed),
    oracle = fakeOracle(),
    // Facilitator and payout must move the same kind of money. So if the test gives only one of them, the
    // fake of the other one takes over its `playMoney`.
    facilitator = { ...fakeFacilitator(), playMoney: options.payout?.playMoney ?? true },
    payout = { ...fakePayout(), playMoney: facilitator.playMoney ?? true },
  } = options;
  const pm = createPredictionMarket({
    payTo: testWallet('payee').address,
    // The jobs of a test do not run by real time. `runJobs` and the calls of the test run them.
    jobIntervalMs: DAY_MS,
    // The window of a quota ends by the market's clock, which stands still. A client would wait for it in real time.
    keyRateLimit: LARGEST_QUOTA,
    addressRateLimit: LARGEST_QUOTA,
    ...withoutUndefined(options),
    storage,
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
    async close() {
      // Closing aborts the questions, so they are counted before.
      const held = heldBy(oracle);
      await pm.close();
      if (held > 0) throw new Error(forgottenHold(held));
    },
  };
}

/** How many questions a fake oracle holds back. An oracle without `held` holds back none. */
function heldBy(oracle: Oracle & { held?: unknown }): number {
  return typeof oracle.held === 'number' ? oracle.held : 0;
}

const SEED = mustBe('a text or a number', (value) => ['string', 'number'].includes(typeof value));

const checkedElsewhere: Check = () => undefined;
const CHECKS = {
  ...Object.fromEntries(Object.keys(OPTION_CHECKS).map((name) => [name, checkedElsewhere])),
  clock: optional(implementing<TestClock>('a clock that testClock makes', ['now', 'advance', 'set'])),
  seed: optional(SEED),
  startAt: checkedElsewhere,
} as Checks<TestMarketOptions>;

/**
 * Checks the names of all options and the values of `clock` and `seed`. Refuses `startAt` beside `clock`, and `seed`
 * beside `random`. `testClock` checks the value of `startAt`, and `createPredictionMarket` the other values.
 */
function checkOwn(options: TestMarketOptions): void {
  checkOptions('createTestMarket', options, CHECKS);
  const { clock, startAt, seed, random } = options;
  if (clock !== undefined && startAt !== undefined)
    throw new TypeError('createTestMarket: startAt has no effect beside clock: set the clock that you give');
  if (random !== undefined && seed !== undefined)
    throw new TypeError('createTestMarket: seed has no effect beside random');
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
    async fund(wallet, usd) {
      made += 1;
      return pm.deposit({ address: addressOf(wallet), amount: usd, reference: `test-fund-${made}` });
    },
    async createMarket({ creator = testWallet('creator'), ...input } = {}) {
      made += 1;
      await approveCreator(creator);
      return pm.createMarket({
        question: `Will test market ${made} resolve to yes?`,
        resolutionCriteria: 'As the test says.',
        resolveDate: new Date(clock.now() + DAY_MS).toISOString(),
        category: 'other',
        ...input,
        creator: addressOf(creator),
      });
    },
    async apiKey(wallet) {
      const address = addressOfWallet(wallet);
      const key = keys.get(address) ?? issueKey(pm, wallet);
      keys.set(address, key);
      return key;
    },
  };
}

async function issueKey(pm: PredictionMarket, wallet: Wallet): Promise<string> {
  const { address } = wallet;
  const { message, nonce } = await pm.issueChallenge({ address, action: 'issue' });
  const signature = await wallet.signMessage(message);
  const { apiKey } = await pm.issueKey({ address, message, signature, nonce });
  return apiKey;
}

function refuseOther(given: unknown): void {
  if (!isRecord(given))
    throw new TypeError(`createTestMarket: the options must be an object, got ${kindOf(given)}`);
}
