import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PredictionMarketOptions } from '../../src/index';
import { signedPayment, testWallet } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { run } from './support';

type Payments = Required<Pick<PredictionMarketOptions, 'facilitator'>>;
interface PaymentsOfApp {
  createPayments(): Payments;
  faultOfPayments(): Promise<string | null>;
}

const basicOf = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const BASIC = basicOf('ada:hunter:2');

describe.each([
  { facilitator: 'http', name: 'FACILITATOR_URL', answer: { kinds: [] } },
  { facilitator: 'evm', name: 'RPC_URL', answer: { jsonrpc: '2.0', id: 1, result: '0x2105' } },
])('$name with user and password', ({ facilitator, name, answer }) => {
  const given = process.env;
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    response.writeHead(authorization === BASIC ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  let folder: string;

  beforeAll(async () => {
    await mkdir('.tmp', { recursive: true });
    folder = await mkdtemp(join(process.cwd(), '.tmp', 'init-credentials-'));
    const { exitCode } = await run(['init', join(folder, 'app'), '--facilitator', facilitator]);
    expect(exitCode).toBe(0);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterEach(() => {
    process.env = given;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function paymentsAt(credentials: string): Promise<PaymentsOfApp> {
    const { port } = server.address() as AddressInfo;
    process.env = {
      ...{ PAY_TO: testWallet('payee').address, SETTLER_PRIVATE_KEY: testWallet('settler').privateKey },
      [name]: `http://${credentials}@127.0.0.1:${port}`,
    };
    return (await import(join(folder, 'app/src/payments.ts'))) as PaymentsOfApp;
  }

  it('is asked with them at the start', async () => {
    const app = await paymentsAt('ada:hunter%3A2');
    expect(await app.faultOfPayments()).toBeNull();
    await paymentsAt('ada:hunter3');
    expect(await app.faultOfPayments()).toBe(`${name} answers with the status 401`);
  });

  it('is asked with them also if the password has a % that encodes nothing', async () => {
    const app = await paymentsAt('ada:50%');
    await app.faultOfPayments();
    expect(seen).toEqual([basicOf('ada:50%')]);
  });

  it('is asked with them for each payment', async () => {
    const made = (await paymentsAt('ada:hunter%3A2')).createPayments().facilitator;
    const payment = await signedPayment(testWallet('payer'), REQUIREMENTS, Date.now());
    await made.verify(payment, REQUIREMENTS);
    if ('close' in made) (made.close as () => void)();
    expect(new Set(seen)).toEqual(new Set([BASIC]));
  });
});
