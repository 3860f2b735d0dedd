import { freshNonce } from './support/calls';

it('the nonces of test payments differ, and are 32 bytes', () => {
  const made = Array.from({ length: 2_000 }, freshNonce);
  expect(new Set(made).size).toBe(2_000);
  expect(made.every((nonce) => /^0x[0-9a-f]{64}$/.test(nonce))).toBe(true);
});
