import { isKeyKnown, pendingPlace } from '../../site/browser/pending';
import { oneWindow } from './windows';

interface Payment {
  amount: number;
}

const stored = new Map<string, string>();
const payments = pendingPlace<Payment>(
  oneWindow(stored),
  'payment',
  ({ amount }) => typeof amount === 'number',
);
const PLACE = 'prediction-market.pending-payment.0xab';
const HOUR_MS = 3_600_000;
beforeEach(() => stored.clear());

it('the browser keeps one request for each wallet until that one is cleared', async () => {
  expect(await payments.replace('0xAB', null, { amount: 5 })).toBe(true);
  expect([payments.get('0xab'), payments.get('0xcd')]).toEqual([{ amount: 5 }, null]);
  expect(await payments.replace('0xab', null, { amount: 6 })).toBe(false);
  expect(await payments.replace('0xab', { amount: 6 }, null)).toBe(false);
  expect(payments.get('0xab')).toEqual({ amount: 5 });
  expect(await payments.replace('0xAb', { amount: 5 }, null)).toBe(true);
  expect(stored.size).toBe(0);
});

it.each(['{', '7', 'null', '"text"', '{"amount":"5"}', '[]', ''])(
  'the browser takes %s for nothing',
  (text) => {
    stored.set(PLACE, text);
    expect(payments.get('0xab')).toBeNull();
  },
);

it.each([
  [0, true],
  [23.9 * HOUR_MS, true],
  [24 * HOUR_MS, false],
  // The clock of the computer was set back by one second after the request.
  [-1_000, true],
  [-HOUR_MS, false],
  [Number.NaN, false],
])('after %s ms a key may be sent again: %s', (age, may) => {
  const now = 1_800_000_000_000;
  expect(isKeyKnown(now - age, now)).toBe(may);
});
