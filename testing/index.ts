/** `express-prediction-market/testing`: tools for tests of an integration or of an adapter. */
export { api, type ApiApp, type ApiCaller, type ApiClient, type ApiRequest, type ApiResponse } from './api';
export {
  createTestMarket,
  type AddressOf,
  type TestMarket,
  type TestMarketInput,
  type TestMarketOptions,
} from './create-test-market';
export { fakeFacilitator, type FacilitatorCall, type FakeFacilitator } from './fake-facilitator';
export * from './facilitator-conformance';
export type { ConformanceOptions } from './conformance/runner';
export type { SilentForm, SilentHook } from './conformance/silence';
export type { UnsignedAuthorization } from './facilitator-conformance/payments';
export { fakeOracle, type FakeOracle } from './fake-oracle';
export * from './oracle-conformance';
export { fakePayout, type FakePayout } from './fake-payout';
export { paymentHeader } from './payment-header';
export * from './payout-conformance';
export * from './rate-limit-conformance';
export * from './row-store-conformance';
export { seededRandom } from './seeded-random';
export * from './storage-conformance';
export { TEST_START, testClock, type TestClock } from './test-clock';
export { testWallet, testWallets } from './test-wallets';
