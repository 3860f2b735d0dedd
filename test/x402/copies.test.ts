/**
 * An instance works on a payment. Another instance answers copies of the payment with 402 if the first instance is
 * known to live, and with 503 if it may be dead.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import type { Facilitator, LookupResult, SettleResult, VerifyResult } from '../../src/ports/facilitator';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { until } from '../support/until';
import { DEPOSIT, FEED, paymentFor, send } from './support/calls';
import { createGate, type Gate } from '../support/gate';

const payer = wallet(881);
const LEASE_MS = 6_000;

let one: Service;
let two: Service;
let verifying: Gate<VerifyResult>[];
let settling: Gate<SettleResult>;
let looking: Gate<LookupResult>;
let asked: string[];

beforeEach(async () => {
  const inner = memoryStorage();
  let opened: Promise<void> | null = null;
  const storage: Storage = {
    ...inner,
    open: (context) => (opened ??= inner.open(context)),
    close: () => Promise.resolve(),
  };
  verifying = [createGate(), createGate()];
  settling = createGate();
  looking = createGate();
  asked = [];
  const facilitator: Facilitator = {
    ...fakeFacilitator(),
    verify: () => nextVerification(),
    settle: () => (asked.push('settle'), settling.opened),
    lookup: () => (asked.push('lookup'), looking.opened),
  };
  const options = { storage, facilitator, jobIntervalMs: 86_400_000 };
  one = await startService(options);
  two = await startService(options);
});
afterEach(async () => {
  for (const { open } of verifying) open({ status: 'valid' });
  settling.open({ status: 'settled', transaction: '0x1' });
  looking.open({ status: 'settled', transaction: '0x1' });
  await one.close();
  await two.close();
});

function nextVerification(): Promise<VerifyResult> {
  const call = asked.filter((name) => name === 'verify').length;
  asked.push('verify');
  return verifying[call]?.opened ?? Promise.resolve({ status: 'valid' });
}

interface Answer {
  status: number;
  code?: string;
  message?: string;
  retryAfter?: string;
}

async function sendTo(service: Service, call: typeof FEED, headers: Record<string, string>): Promise<Answer> {
  const { status, body, headers: received } = await send(service, call, headers);
  const { code, message } = body as Omit<Answer, 'status'>;
  return { status, code, message, retryAfter: received['retry-after'] };
}

it('a copy of a payment is refused once the first call is seen to go on', async () => {
  const headers = await paymentFor(one, payer, DEPOSIT);
  const first = sendTo(one, DEPOSIT, headers);
  await until(() => asked.includes('verify'));
  const copies = [1, 2, 3].map(() => sendTo(two, DEPOSIT, headers));
  const all = Promise.all(copies);
  verifying[0]?.open({ status: 'valid' });
  await until(() => asked.includes('settle'));
  const late = sendTo(two, DEPOSIT, headers);
  one.clock.advance(1);
  for (const copy of [...(await all), await late, await sendTo(one, DEPOSIT, headers)]) {
    // Without `Retry-After` the client of this package would not send the payment again, and miss the answer.
    expect(copy).toMatchObject({
      status: 402,
      code: 'PAYMENT_INVALID',
      message: expect.stringMatching(/at work/),
      retryAfter: '1',
    });
  }
  settling.open({ status: 'settled', transaction: '0x1' });
  expect((await first).status).toBe(201);
  expect(asked).toEqual(['verify', 'settle']);
  expect(await two.pm.audit()).toMatchObject({ ok: true });
});

it('a copy of a payment is told to come again while the first call is not seen to go on, and is answered when its lease is over', async () => {
  const headers = await paymentFor(one, payer, DEPOSIT);
  const first = sendTo(one, DEPOSIT, headers);
  await until(() => asked.includes('verify'));
  expect(await sendTo(two, DEPOSIT, headers)).toMatchObject({ status: 503, code: 'SETTLEMENT_PENDING' });
  two.clock.advance(LEASE_MS);
  const successor = sendTo(two, DEPOSIT, headers);
  await until(() => asked.filter((name) => name === 'verify').length === 2);
  verifying[1]?.open({ status: 'valid' });
  settling.open({ status: 'settled', transaction: '0x1' });
  expect((await successor).status).toBe(201);
  verifying[0]?.open({ status: 'valid' });
  expect(await first).toMatchObject({ status: 503, code: 'SETTLEMENT_PENDING' });
  expect(asked).toEqual(['verify', 'verify', 'settle']);
  expect((await two.pm.getAccount({ address: payer.address })).balance).toBe(25);
});

it('a copy of a payment for another request is refused, also where another instance takes up the work again', async () => {
  verifying[0]?.open({ status: 'valid' });
  const headers = await paymentFor(one, payer, FEED);
  const first = sendTo(one, FEED, headers);
  await until(() => asked.includes('settle'));
  two.clock.advance(LEASE_MS);
  const again = sendTo(two, FEED, headers);
  await until(() => asked.includes('lookup'));
  for (const service of [one, two]) {
    const other = await sendTo(service, { ...FEED, path: '/x402/feed?limit=6' }, headers);
    // A `Retry-After` would make the client wait for an answer that never comes.
    const message = expect.stringContaining('for another request') as string;
    expect(other).toEqual({ status: 402, code: 'PAYMENT_INVALID', message });
  }
  looking.open({ status: 'settled', transaction: '0x1' });
  expect((await again).status).toBe(200);
  settling.open({ status: 'settled', transaction: '0x1' });
  await first;
});
