/**
 * A payment of version 2 names the terms that its payer accepted. The service settles no payment with other terms than
 * its own.
 */
import { startService, wallet, type Service } from '../http/support/service';
import { FEED, paymentFor, send } from './support/calls';
import { base64, unbase64 } from './support/payer';

const payer = wallet(861);
const HEADER = 'PAYMENT-SIGNATURE';
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Sent {
  accepted: Record<string, unknown>;
}

async function withAccepted(change: (accepted: Record<string, unknown>) => object): Promise<object> {
  const headers = await paymentFor(service, payer, FEED, { form: 'v2' });
  const sent = unbase64(headers[HEADER]) as Sent;
  const changed = base64({ ...sent, accepted: change(sent.accepted) });
  const { status, body } = await send(service, FEED, { [HEADER]: changed });
  const { code, message } = body as { code?: string; message?: string };
  return { status, code, message };
}

it.each([
  ['amount', '1'],
  ['amount', '1001'],
  ['amount', 1000],
  ['asset', wallet(862).address],
  ['payTo', wallet(862).address],
  ['payTo', null],
])('a payment whose accepted %s is %s is refused', async (name, value) => {
  expect(await withAccepted((accepted) => ({ ...accepted, [name]: value }))).toEqual({
    status: 402,
    code: 'PAYMENT_INVALID',
    message: expect.stringContaining(`accepted.${name}`),
  });
});

it('a payment is taken with addresses in any case, and without the optional terms', async () => {
  const lower = await withAccepted((accepted) => ({
    ...accepted,
    asset: String(accepted['asset']).toLowerCase(),
    payTo: String(accepted['payTo']).toLowerCase(),
  }));
  expect(lower).toMatchObject({ status: 200 });
  expect(await withAccepted(({ scheme, network }) => ({ scheme, network }))).toMatchObject({ status: 200 });
});

it('a payment that is at work is not held to a price that has changed since', async () => {
  // The service has claimed the payment already, so it does not compare the second request with its terms.
  const headers = await paymentFor(service, payer, FEED, { form: 'v2' });
  expect((await send(service, FEED, headers)).status).toBe(200);
  const sent = unbase64(headers[HEADER]) as Sent;
  const changed = base64({ ...sent, accepted: { ...sent.accepted, amount: '1' } });
  const again = await send(service, FEED, { [HEADER]: changed });
  expect(again.body).toMatchObject({
    code: 'PAYMENT_INVALID',
    message: expect.stringMatching(
      /used already: it was charged once, by 0x[0-9a-f]+, .* look for its result/,
    ),
  });
  const receipt = unbase64(String(again.headers['payment-response'])) as { transaction: string };
  expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
  expect(again.body.message).toContain(`, by ${receipt.transaction}, `);
});
