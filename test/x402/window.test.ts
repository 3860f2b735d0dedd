import { developmentFacilitator } from '../../adapters/facilitator/development';
import { startService, wallet, type Service } from '../http/support/service';
import type { PaymentForm } from '../../src/ports/facilitator';
import { buy, FEED, freshNonce, paymentFor, send } from './support/calls';
import { base64, unbase64 } from './support/payer';

const payer = wallet(871);
const LARGEST = 2n ** 256n - 1n;
let service: Service;
beforeAll(async () => {
  const clock = { now: (): number => service.clock.now() };
  service = await startService({ facilitator: developmentFacilitator({ clock }) });
});
afterAll(() => service.close());

describe.each<PaymentForm>(['flat', 'v1', 'v2'])('in the form %s,', (form) => {
  const change = (fields: Record<string, string>): Record<string, string> =>
    form === 'flat' ? fields : { nonce: freshNonce(), ...fields };

  it('a payment that ends fifteen minutes from now is taken, and one that ends later is refused', async () => {
    const seconds = Math.floor(service.clock.now() / 1000);
    const endingAt = (end: bigint | number) =>
      buy(service, payer, FEED, { form, change: change({ validBefore: String(end) }) });
    expect((await endingAt(seconds + 900)).status).toBe(200);
    for (const end of [seconds + 901, seconds + 86_400, LARGEST]) {
      const { status, body } = await endingAt(end);
      expect(status).toBe(402);
      expect(body).toMatchObject({ code: 'PAYMENT_INVALID', message: expect.stringMatching(/too long/) });
    }
  });

  it('a payment that is valid from this second on is taken', async () => {
    const validAfter = String(Math.floor(service.clock.now() / 1000));
    expect((await buy(service, payer, FEED, { form, change: change({ validAfter }) })).status).toBe(200);
  });
});

it.each([LARGEST + 1n, 10n ** 78n])('%s is no uint256', async (validBefore) => {
  const headers = await paymentFor(service, payer, FEED);
  const sent = unbase64(headers['X-PAYMENT']) as object;
  const changed = base64({ ...sent, validBefore: String(validBefore) });
  const { body } = await send(service, FEED, { 'X-PAYMENT': changed });
  expect(body).toMatchObject({ code: 'PAYMENT_INVALID', message: expect.stringMatching(/^validBefore/) });
});
