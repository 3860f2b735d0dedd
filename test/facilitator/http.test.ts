import { httpFacilitator } from '../../adapters/facilitator/http';
import { facilitatorConformance, signedPayment, testClock } from '../../testing';
import type { Payment, PaymentForm } from '../../src/ports/facilitator';
import { send, startFacilitatorServer, type FacilitatorServer } from './support/facilitator-server';
import { REQUIREMENTS } from './support/requirements';
import { onPlayMoney, PAYER, playMoney } from './support/target';

const KEY = 'the-key-of-the-facilitator';
const pay = (form: PaymentForm = 'v2'): Promise<Payment> =>
  signedPayment(PAYER, REQUIREMENTS, Date.now(), { form });

describe.each([[[1, 2]], [[1]], [[2]]] as const)('the http facilitator with versions %j', (versions) => {
  facilitatorConformance(
    { describe, it, expect },
    {
      create: async () => {
        const play = playMoney();
        const server = await startFacilitatorServer(play, versions);
        const headers = { authorization: `Bearer ${KEY}` };
        const make = () => httpFacilitator({ url: server.url, headers, clock: play.clock, timeoutMs: 2_000 });
        return onPlayMoney(play, {
          facilitator: make(),
          looksUp: false,
          times: false, // the protocol tells no times
          secrets: [KEY],
          another: async () => make(),
          loseAnswer: async (how, status) => server.loseAnswer(how, status),
          failWith: async (status) => server.failWith(status),
          hold: false, // the protocol has no question about pending payments
          garble: async (nonsense) => server.garble(nonsense),
          silence: async (form) => server.silence(form),
          redirect: async (address) => server.redirect(address),
          cutOff: () => server.close(),
          destroy: () => server.close(),
        });
      },
    },
  );
});

describe('the http facilitator', () => {
  let server: FacilitatorServer;
  const versionsSeen = (): unknown[] =>
    server.seen
      .filter(({ path }) => path !== '/supported')
      .map(({ body }) => (body as { x402Version: unknown }).x402Version);

  beforeEach(async () => {
    server = await startFacilitatorServer(playMoney());
  });
  afterEach(() => server.close());

  it('writes each payment in its own version, and flat ones in the newest version that the service takes', async () => {
    const facilitator = httpFacilitator({ url: `${server.url}/` });
    for (const form of ['flat', 'v1', 'v2'] as const) await facilitator.verify(await pay(form), REQUIREMENTS);
    expect(versionsSeen()).toEqual([2, 1, 2]);
    expect(server.seen.filter(({ path }) => path === '/supported')).toHaveLength(1);
  });

  it.each([1, 2] as const)(
    'lifts every payment to version %i where the service takes no other',
    async (version) => {
      const only = await startFacilitatorServer(playMoney(), [version]);
      const facilitator = httpFacilitator({ url: only.url });
      for (const form of ['flat', 'v1', 'v2'] as const)
        expect(await facilitator.verify(await pay(form), REQUIREMENTS)).toEqual({ status: 'valid' });
      await only.close();
    },
  );

  it('does not know whether a payment was settled that the service calls expired after its window', async () => {
    const clock = testClock(Date.now());
    const facilitator = httpFacilitator({ url: server.url, clock });
    const payment = await pay();
    const errorReason = 'invalid_exact_evm_payload_authorization_valid_before';
    server.intercept((path, response) => {
      if (path === '/settle') send(response, 200, { success: false, errorReason, transaction: '' });
      return path === '/settle';
    });
    const refused = { status: 'invalid', reason: errorReason };
    expect(await facilitator.settle(payment, REQUIREMENTS)).toEqual(refused);
    clock.advance(301_000);
    expect(await facilitator.settle(payment, REQUIREMENTS)).toEqual({ ...refused, status: 'unknown' });
  });

  it('sends the headers that the callback makes for each request', async () => {
    const facilitator = httpFacilitator({
      url: server.url,
      headers: async ({ operation, method, url }) => ({ authorization: `${operation} ${method} ${url}` }),
    });
    await facilitator.settle(await pay(), REQUIREMENTS);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `supported GET ${server.url}/supported`,
      `settle POST ${server.url}/settle`,
    ]);
  });

  describe('at an address with user and password', () => {
    const withCredentials = (): string => server.url.replace('//', '//ada:hunter%3A2@');
    const seen = (): unknown[] => server.seen.map(({ headers }) => headers.authorization);

    it('sends them as a header, which fetch takes, and never as a part of a reason', async () => {
      const basic = `Basic ${Buffer.from('ada:hunter:2').toString('base64')}`;
      const facilitator = httpFacilitator({ url: `${withCredentials()}/` });
      expect(await facilitator.verify(await pay(), REQUIREMENTS)).toEqual({ status: 'valid' });
      expect(seen()).toEqual([basic, basic]);
      await server.close();
      const away = await facilitator.verify(await pay(), REQUIREMENTS);
      expect(away.status).toBe('unavailable');
      expect(JSON.stringify(away)).not.toContain('hunter');
    });

    it('prefers the authorization among its headers', async () => {
      const headers = { Authorization: 'Bearer of the host' };
      const facilitator = httpFacilitator({ url: withCredentials(), headers });
      await facilitator.supported();
      expect(seen()).toEqual(['Bearer of the host']);
    });
  });

  it('charges no payer when the headers cannot be made', async () => {
    const headers = () => Promise.reject(new Error('no token'));
    const facilitator = httpFacilitator({ url: server.url, headers });
    const payment = await pay();
    expect((await facilitator.verify(payment, REQUIREMENTS)).status).toBe('unavailable');
    expect((await facilitator.settle(payment, REQUIREMENTS)).status).toBe('unavailable');
    expect(server.seen).toEqual([]);
  });

  it('passes protocol payments on while /supported is away, and holds flat ones back', async () => {
    server.intercept((path, response) => {
      if (path === '/supported') send(response, 503, 'busy');
      return path === '/supported';
    });
    const facilitator = httpFacilitator({ url: server.url });
    expect((await facilitator.verify(await pay('v1'), REQUIREMENTS)).status).toBe('valid');
    expect((await facilitator.verify(await pay('flat'), REQUIREMENTS)).status).toBe('unavailable');
    expect((await facilitator.settle(await pay('flat'), REQUIREMENTS)).status).toBe('unavailable');
    server.intercept(null);
    expect((await facilitator.verify(await pay('flat'), REQUIREMENTS)).status).toBe('valid');
  });

  it('does not offer a network that the facilitator does not take', async () => {
    const facilitator = httpFacilitator({ url: server.url });
    const elsewhere = { ...REQUIREMENTS, network: 'eip155:1' };
    expect((await facilitator.verify(await pay(), elsewhere)).status).toBe('unavailable');
  });

  async function outcomes(status: number, body: unknown): Promise<{ verify: string; settle: string }> {
    server.intercept((path, response) => {
      if (path !== '/supported') send(response, status, body);
      return path !== '/supported';
    });
    const facilitator = httpFacilitator({ url: server.url });
    const payment = await pay();
    const verified = await facilitator.verify(payment, REQUIREMENTS);
    const settled = await facilitator.settle(payment, REQUIREMENTS);
    return { verify: verified.status, settle: settled.status };
  }

  const HASH = `0x${'ab'.repeat(32)}`;

  it.each([
    [500, { isValid: false, invalidReason: 'unexpected_verify_error' }, 'unavailable', 'unknown'],
    [500, { isValid: true, success: true, transaction: HASH }, 'unavailable', 'unknown'],
    [503, '<html>busy</html>', 'unavailable', 'unknown'],
    [200, '<html>hello</html>', 'unavailable', 'unknown'],
    [200, '', 'unavailable', 'unknown'],
    [200, [], 'unavailable', 'unknown'],
    [200, { isValid: 'yes', success: 'yes', transaction: HASH }, 'unavailable', 'unknown'],
    [200, { isValid: true, success: true, transaction: '' }, 'valid', 'unknown'],
    [200, { isValid: true, payer: REQUIREMENTS.payTo, success: true, transaction: HASH }, 'valid', 'settled'],
    [200, { isValid: true, success: true, transaction: HASH }, 'valid', 'settled'],
    [302, '', 'unavailable', 'unavailable'],
    [401, { error: 'who are you' }, 'unavailable', 'unavailable'],
    [400, '<html>bad request</html>', 'unavailable', 'unknown'],
    [408, 'too slow', 'unavailable', 'unknown'],
    [425, 'too early', 'unavailable', 'unknown'],
    [499, 'the client went away', 'unavailable', 'unknown'],
    [429, 'too many', 'unavailable', 'unavailable'],
    [400, { isValid: true, success: true, transaction: HASH }, 'unavailable', 'unknown'],
  ])(
    'takes the answer %i %j for %s when verifying, and for %s when settling',
    async (status, body, verify, settle) => {
      const expected =
        typeof body === 'object' && 'payer' in body
          ? { verify: 'unavailable', settle: 'unknown' }
          : { verify, settle };
      expect(await outcomes(status, body)).toEqual(expected);
    },
  );

  it.each([
    ['insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
    ['invalid_exact_evm_insufficient_balance', 'insufficient_funds', 'insufficient_funds'],
    ['permit2_insufficient_balance', 'insufficient_funds', 'insufficient_funds'],
    ['invalid_exact_evm_nonce_already_used', 'spent', 'spent'],
    ['invalid_exact_evm_payload_signature', 'invalid', 'invalid'],
    ['invalid_exact_evm_signature', 'invalid', 'invalid'],
    ['invalid_exact_evm_payload_authorization_valid_before', 'invalid', 'invalid'],
    ['invalid_exact_evm_payload_authorization_valid_after', 'invalid', 'invalid'],
    ['invalid_exact_evm_payload_authorization_value', 'invalid', 'invalid'],
    ['invalid_exact_evm_payload_recipient_mismatch', 'invalid', 'invalid'],
    ['invalid_exact_evm_payload_undeployed_smart_wallet', 'invalid', 'invalid'],
    ['invalid_exact_evm_transaction_simulation_failed', 'invalid', 'invalid'],
    ['invalid_network', 'invalid', 'invalid'],
    ['invalid_payload', 'invalid', 'invalid'],
    ['invalid_payment', 'invalid', 'invalid'],
    ['invalid_payment_requirements', 'invalid', 'invalid'],
    ['invalid_scheme', 'invalid', 'invalid'],
    ['invalid_x402_version', 'invalid', 'invalid'],
    ['payment_expired', 'invalid', 'invalid'],
    ['unsupported_scheme', 'invalid', 'invalid'],
    ['unexpected_verify_error', 'unavailable', 'unknown'],
    ['unexpected_settle_error', 'unavailable', 'unknown'],
    ['settlement_pending', 'spent', 'unknown'],
    ['duplicate_settlement', 'spent', 'unknown'],
    ['invalid_transaction_state', 'spent', 'unknown'],
    ['invalid_exact_evm_transaction_failed', 'spent', 'unknown'],
    ['a_code_of_tomorrow', 'invalid', 'unknown'],
    ['invalid_exact_evm_code_of_tomorrow', 'invalid', 'unknown'],
    // Gas is the facilitator's cost, not the payer's.
    ['facilitator_insufficient_funds', 'unavailable', 'unknown'],
    ['settler_insufficient_balance', 'unavailable', 'unknown'],
    ['relayer_insufficient_funds', 'unavailable', 'unknown'],
    ['gas_insufficient_funds', 'unavailable', 'unknown'],
    ['insufficient_gas', 'unavailable', 'unknown'],
    ['insufficient_funds_for_gas', 'unavailable', 'unknown'],
    ['invalid_exact_evm_native_insufficient_balance', 'unavailable', 'unknown'],
  ])(
    'takes the reason %s for %s when verifying, and for %s when settling, with 200 and with 400',
    async (reason, verify, settle) => {
      const refusal = {
        isValid: false,
        invalidReason: reason,
        success: false,
        errorReason: reason,
        transaction: '',
      };
      expect(await outcomes(200, refusal)).toEqual({ verify, settle });
      expect(await outcomes(400, refusal)).toEqual({ verify, settle });
    },
  );

  it.each([
    ['invalid_payload', 'unknown'],
    ['insufficient_funds', 'unknown'],
    ['invalid_exact_evm_insufficient_balance', 'unknown'],
    ['invalid_exact_evm_nonce_already_used', 'spent'],
  ])(
    'does not believe that nothing was sent when %s comes with a transaction',
    async (errorReason, settle) => {
      const body = { success: false, errorReason, transaction: HASH };
      expect((await outcomes(200, body)).settle).toBe(settle);
    },
  );

  it('gives up after the time limit, at each call', async () => {
    server.intercept((path) => path !== '/supported');
    const facilitator = httpFacilitator({ url: server.url, timeoutMs: 50 });
    const payment = await pay();
    expect((await facilitator.verify(payment, REQUIREMENTS)).status).toBe('unavailable');
    expect((await facilitator.settle(payment, REQUIREMENTS)).status).toBe('unknown');
    expect((await facilitator.lookup(payment, REQUIREMENTS)).status).toBe('unknown');
  });

  it('has one time limit for the two requests of a look-up without a node', async () => {
    server.intercept((path, response) => {
      if (path === '/supported') return false;
      const reason = 'invalid_exact_evm_nonce_already_used';
      const refusal = { success: false, errorReason: reason, isValid: false, invalidReason: reason };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      return true;
    });
    const limits = jest.spyOn(AbortSignal, 'timeout');
    const found = await httpFacilitator({ url: server.url }).lookup(await pay(), REQUIREMENTS);
    expect([found.status, limits.mock.calls]).toEqual(['unknown', [[20_000]]]);
    limits.mockRestore();
  });

  it('tells a dropped connection from one that was never made', async () => {
    server.intercept((path, response) => path !== '/supported' && response.socket?.destroy() !== undefined);
    const reached = httpFacilitator({ url: server.url });
    expect((await reached.settle(await pay(), REQUIREMENTS)).status).toBe('unknown');
    await server.close();
    const refused = httpFacilitator({ url: server.url });
    expect((await refused.settle(await pay(), REQUIREMENTS)).status).toBe('unavailable');
  });

  it('refuses an address that is no URL, naming the option', () => {
    expect(() => httpFacilitator({ url: 'facilitator.example' })).toThrow('httpFacilitator: url');
    expect(() => httpFacilitator({ url: 'ftp://127.0.0.1/' })).toThrow('httpFacilitator: url');
  });
});
