/** `express-prediction-market/testing`: everything that tests of an integration or of an adapter need. */
import type { Facilitator } from '../src/ports/facilitator';
import type { Oracle } from '../src/ports/oracle';
import type { Payout } from '../src/ports/payout';
import {
  createTestMarketOn,
  type FakeFacilitator,
  type FakeOracle,
  type FakePayout,
  type TestMarket,
  type TestMarketOptions,
} from './kit';
import { memoryStorage } from '../adapters/storage/memory';

export * from './kit';
export { api, type ApiCaller, type ApiClient, type ApiRequest, type ApiResponse } from './api';

/**
 * A started market on memory storage with a clock that stands still, seeded randomness, a fake oracle, a fake facilitator
 * and a fake payout. An option of that name takes its place.
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
  const market = await createTestMarketOn(options.storage ?? memoryStorage(), options);
  // The fakes stand in exactly where nothing was given, which is where the types have their defaults.
  return market as unknown as TestMarket<TestedOracle, TestedFacilitator, TestedPayout>;
}
