/**
 * A facilitator took the money and closed the connection, and no chain can be asked. The answer to a second settlement
 * decides.
 */
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { httpFacilitator } from '../../adapters/facilitator/http';
import { startFacilitatorServer, type FacilitatorServer } from '../facilitator/support/facilitator-server';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';

const payer = wallet(891);
const TRANSACTION = `0x${'ab'.repeat(32)}`;
const SPENT = 'invalid_exact_evm_nonce_already_used';

let server: FacilitatorServer;
let service: Service;
let settlements: number;
let repeated: object;

beforeEach(async () => {
  settlements = 0;
  server = await startFacilitatorServer(developmentFacilitator({ warn: () => undefined }));
  server.intercept((path, response) => {
    if (path === '/supported') return false;
    response.setHeader('Content-Type', 'application/json');
    if (path === '/verify') {
      const verdict = settlements === 0 ? { isValid: true } : { isValid: false, invalidReason: SPENT };
      response.end(JSON.stringify(verdict));
      return true;
    }
    settlements += 1;
    if (settlements === 1) response.socket?.destroy();
    else response.end(JSON.stringify(repeated));
    return true;
  });
  service = await startService({
    facilitator: httpFacilitator({ url: server.url }),
    jobIntervalMs: 86_400_000,
  });
});
afterEach(async () => {
  await service.close();
  await server.close();
});

const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;

it('a payment is honoured when the facilitator repeats its success', async () => {
  repeated = { success: true, transaction: TRANSACTION, network: 'eip155:8453', payer: payer.address };
  const headers = await paymentFor(service, payer, DEPOSIT);
  expect((await send(service, DEPOSIT, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  expect((await send(service, DEPOSIT, headers)).status).toBe(201);
  expect([await balance(), settlements]).toEqual([25, 2]);
  expect((await send(service, DEPOSIT, headers)).status).toBe(402);
  expect(await service.pm.audit()).toMatchObject({ ok: true });
});

it.each([
  ['spent', { success: false, errorReason: SPENT, transaction: '' }],
  ['without funds', { success: false, errorReason: 'insufficient_funds', transaction: '' }],
  ['invalid', { success: false, errorReason: 'invalid_exact_evm_payload_signature', transaction: '' }],
  [
    'expired',
    {
      success: false,
      errorReason: 'invalid_exact_evm_payload_authorization_valid_before',
      transaction: '',
    },
  ],
  ['paid, without a transaction', { success: true, transaction: '' }],
  ['paid by another wallet', { success: true, transaction: TRANSACTION, payer: wallet(892).address }],
  ['garbage', { success: 'true', transaction: TRANSACTION }],
])('a payment stays unknown when the facilitator then calls it %s', async (_name, answer) => {
  repeated = answer;
  const headers = await paymentFor(service, payer, DEPOSIT);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await send(service, DEPOSIT, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  }
  expect(await balance()).toBe(0);
});
