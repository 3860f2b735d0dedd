import { createPaymentNonce, paymentNonceProblem } from '../../src/crypto/payment-nonce';
import { seededRandom } from '../../testing/seeded-random';

const secret = Buffer.alloc(32, 7);
const scope = { method: 'GET', path: '/x402/feed', amount: 1_000n };
const random = seededRandom(1);
const make = (): string => createPaymentNonce(secret, scope, { expiresAtSeconds: 2_000, random });
const fault = (nonce: string, changes = {}, now = 1_000, key: Uint8Array = secret): string | null =>
  paymentNonceProblem(key, { ...scope, ...changes }, nonce, now);

it('a payment nonce is 32 bytes, different each time, and good until it expires', () => {
  const nonce = make();
  expect(nonce).toMatch(/^0x[0-9a-f]{64}$/);
  expect(make()).not.toBe(nonce);
  expect([fault(nonce), fault(nonce, {}, 2_000), fault(nonce, {}, 2_001)]).toEqual([null, null, 'expired']);
});

it('a payment nonce is good for its method, path, amount and secret only', () => {
  const nonce = make();
  expect(fault(nonce, { method: 'POST' })).toBe('foreign');
  expect(fault(nonce, { path: '/x402/markets' })).toBe('foreign');
  expect(fault(nonce, { amount: 1_001n })).toBe('foreign');
  expect(fault(nonce, {}, 1_000, Buffer.alloc(32, 8))).toBe('foreign');
});

it('a payment nonce cannot be altered in any byte', () => {
  const bytes = Buffer.from(make().slice(2), 'hex');
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
    expect(fault(`0x${altered.toString('hex')}`)).toBe('foreign');
  }
});

it.each(['', '0x', '0x12', `0x${'0'.repeat(64)}`, `0x${'g'.repeat(64)}`, 'x'.repeat(66)])(
  'a payment nonce cannot be %s',
  (text) => {
    expect(fault(text)).toBe('foreign');
  },
);
