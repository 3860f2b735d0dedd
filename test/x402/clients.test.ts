import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios from 'axios';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { withPaymentInterceptor } from 'x402-axios';
import { wrapFetchWithPayment } from 'x402-fetch';
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { systemClock } from '../../src/ports/clock';
import { API, startService, wallet, type Service } from '../http/support/service';
import { PAID_CALLS, MARKETS, FEED, type PaidCall } from './support/calls';
import { unbase64 } from './support/payer';

interface Bought {
  status: number;
  body: unknown;
  receipt: unknown;
}

const payer = wallet(831);
const account = privateKeyToAccount(payer.privateKey as `0x${string}`);
const walletClient = createWalletClient({ account, transport: http(), chain: base });
/** 100 USD in base units, which is more than every price here. */
const MAX_VALUE = 100_000_000n;

let service: Service;
let server: Server;
let url: string;
beforeAll(async () => {
  // The clients of x402 sign with the time of the machine, so the service starts at that time.
  service = await startService({ facilitator: developmentFacilitator(), clock: systemClock });
  service.clock.advance(Date.now() - service.clock.now());
  await service.approve(payer);
  server = createServer(service.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

const buyWith =
  (fetchWithPayment: Fetch, receiptHeader: string) =>
  async ({ method, path, body }: PaidCall): Promise<Bought> => {
    const response = await fetchWithPayment(url + API + path, {
      method: method.toUpperCase(),
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body(service)),
      }),
    });
    const receipt = response.headers.get(receiptHeader) ?? '';
    return { status: response.status, body: await response.json(), receipt: unbase64(receipt) };
  };

const versionTwo = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  spendControls: { maxAmountPerPayment: '$100' },
});

async function buyWithAxios({ method, path, body }: PaidCall): Promise<Bought> {
  const client = withPaymentInterceptor(axios.create({ baseURL: url }), walletClient as never);
  const response = await client.request({
    method,
    url: API + path,
    ...(body !== undefined && { data: body(service) }),
  });
  const receipt = unbase64(String(response.headers['x-payment-response']));
  return { status: response.status, body: response.data as unknown, receipt };
}

const CLIENTS: [string, string, (call: PaidCall) => Promise<Bought>][] = [
  [
    'x402-fetch 1.2',
    'base',
    buyWith(wrapFetchWithPayment(fetch, walletClient as never, MAX_VALUE) as Fetch, 'X-PAYMENT-RESPONSE'),
  ],
  ['@x402/fetch 2', 'eip155:8453', buyWith(versionTwo as Fetch, 'PAYMENT-RESPONSE')],
  ['x402-axios', 'base', buyWithAxios],
];

describe.each(CLIENTS)('%s', (_name, network, buy) => {
  it.each(PAID_CALLS)('buys $name', async (call) => {
    const { status, body, receipt } = await buy(call);
    expect([status, body]).toEqual([call.status, expect.any(Object)]);
    expect(receipt).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network,
      payer: payer.address,
    });
  });
});

it('x402-fetch refuses by itself above 0.10 USD unless told otherwise', async () => {
  const cautious = wrapFetchWithPayment(fetch, walletClient as never) as Fetch;
  await expect(cautious(url + API + MARKETS.path, { method: 'POST' })).rejects.toThrow(/maximum/);
  expect((await cautious(url + API + FEED.path)).status).toBe(200);
});

it('@x402/fetch refuses by itself above 1 USD unless told otherwise', async () => {
  const schemes = [{ network: 'eip155:8453' as const, client: new ExactEvmScheme(account) }];
  const cautious = wrapFetchWithPaymentFromConfig(fetch, { schemes }) as Fetch;
  const deposit = (amount: number): Promise<Response> =>
    cautious(`${url}${API}/x402/deposit`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount }),
    });
  await expect(deposit(1.000001)).rejects.toThrow(/maxAmountPerPayment/);
  expect((await deposit(1)).status).toBe(201);
});

it('@x402/fetch reads the receipt', async () => {
  const response = await (versionTwo as Fetch)(url + API + FEED.path);
  const receipt = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '');
  expect(receipt).toMatchObject({ success: true, payer: payer.address });
});
