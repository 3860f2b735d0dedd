/** If the recipient paid itself, a deposit would credit money that never came in. */
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { startService, wallet, type Service } from '../http/support/service';
import { buy, DEPOSIT } from './support/calls';

const operator = wallet(895);
let service: Service;
beforeEach(async () => {
  const clock = { now: (): number => service.clock.now() };
  service = await startService({
    payTo: operator.address,
    facilitator: developmentFacilitator({ clock, warn: () => undefined }),
  });
});
afterEach(() => service.close());

it.each(['flat', 'v1', 'v2'] as const)('the recipient cannot pay itself in the form %s', async (form) => {
  const { status, body } = await buy(service, operator, DEPOSIT, { form });
  expect([status, (body as { code: string }).code]).toEqual([402, 'PAYMENT_INVALID']);
  expect((await service.pm.getAccount({ address: operator.address })).balance).toBe(0);
  expect((await buy(service, wallet(896), DEPOSIT, { form })).status).toBe(201);
});
