/** What a browser stores of requests whose outcome it does not know. */
import { isKeyKnown, pendingPlace } from '../../site/browser/pending';

interface Payment {
  amount: number;
}

const stored = new Map<string, string>();
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
};
const payments = pendingPlace<Payment>(storage, 'payment', ({ amount }) => typeof amount === 'number');
const PLACE = 'prediction-market.pending-payment.0xab';
const HOUR_MS = 3_600_000;
beforeEach(() => stored.clear());

it('keeps one request for each wallet until it is cleared', () => {
  payments.set('0xAB', { amount: 5 });
  expect([payments.get('0xab'), payments.get('0xcd')]).toEqual([{ amount: 5 }, null]);
  payments.clear('0xAb');
  expect(stored.size).toBe(0);
});

it.each(['{', '7', 'null', '"text"', '{"amount":"5"}', '[]', ''])('takes %s for nothing', (text) => {
  stored.set(PLACE, text);
  expect(payments.get('0xab')).toBeNull();
});

it.each([
  [0, true],
  [23.9 * HOUR_MS, true],
  [24 * HOUR_MS, false],
  // The clock of the computer was set right by a second.
  [-1_000, true],
  [-HOUR_MS, false],
  [Number.NaN, false],
])('after %s ms a key may be sent again: %s', (age, may) => {
  const now = 1_800_000_000_000;
  expect(isKeyKnown(now - age, now)).toBe(may);
});
