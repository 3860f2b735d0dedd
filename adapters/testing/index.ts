/** `express-prediction-market/testing`: everything that tests of an integration or of an adapter need. */
import { createTestMarketOn, type TestMarket, type TestMarketOptions } from '../../src/testing';
import { memoryStorage } from '../storage/memory';

export * from '../../src/testing';
export { api, type ApiCaller, type ApiClient, type ApiRequest, type ApiResponse } from './api';

/**
 * A started market on memory storage with a clock that stands still, seeded randomness, a fake oracle and a
 * fake facilitator.
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
export function createTestMarket(options: TestMarketOptions = {}): Promise<TestMarket> {
  return createTestMarketOn(options.storage ?? memoryStorage(), options);
}
