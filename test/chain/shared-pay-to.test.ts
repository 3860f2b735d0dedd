import type { Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { authorizationData } from '../../adapters/shared/evm/token';
import type { Facilitator, Payment } from '../../src/ports/facilitator';
import { startService, type Service } from '../http/support/service';
import { describeWith } from '../support/optional';
import { DEPOSIT, FEED, paymentRequiredOf, freshNonce, send, type PaidCall } from '../x402/support/calls';
import { pay } from '../x402/support/payer';
import { startChain, type Chain } from './support/anvil';
import { randomAddress, randomWallet } from '../support/random-wallet';

const USD = 1_000_000n;

describeWith('anvil', 'deployments with one payTo', (binary) => {
  let chain: Chain;
  let payer: Wallet;
  let payTo: string;
  let chainTimeMs: number;
  const opened: { facilitator: EvmFacilitator; service: Service }[] = [];
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  beforeEach(async () => {
    payer = randomWallet();
    payTo = randomAddress();
    await chain.mint(payer.address, 1_000n * USD);
    await pass(0);
  });
  afterEach(async () => {
    for (const { facilitator, service } of opened.splice(0)) {
      facilitator.close();
      await service.close();
    }
  });
  afterAll(() => chain.stop());

  async function pass(seconds: number): Promise<void> {
    if (seconds > 0) await chain.rpc.send('evm_increaseTime', [seconds]);
    await chain.mine();
    const block = (await chain.rpc.send('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
    chainTimeMs = Number(block.timestamp) * 1000;
  }

  interface Deployment {
    settler?: { privateKey: string; address: string };
    clockOffsetMs?: number;
    around?: (inner: Facilitator) => Partial<Facilitator>;
  }
  async function deploy({
    settler = randomWallet(),
    clockOffsetMs = 0,
    around = () => ({}),
  }: Deployment = {}): Promise<Service> {
    await chain.giveGas(settler.address);
    const { privateKey } = settler;
    const clock = { now: () => chainTimeMs + clockOffsetMs };
    const inner = evmFacilitator({ rpcUrl: chain.url, privateKey, pollIntervalMs: 15, clock });
    const facilitator: Facilitator = { ...inner, ...around(inner) };
    const service = await startService({ payTo, facilitator, clock });
    opened.push({ facilitator: inner, service });
    return service;
  }

  async function signed(service: Service, call: PaidCall): Promise<Record<string, string>> {
    const paymentRequired = await paymentRequiredOf(service, call);
    return pay(payer, paymentRequired, { form: 'v2', now: chainTimeMs, change: { nonce: freshNonce() } });
  }

  async function codeOf(service: Service, call: PaidCall, headers: Record<string, string>): Promise<string> {
    const { status, body } = await send(service, call, headers);
    return `${status} ${(body as { code?: string }).code ?? ''}`;
  }

  const credited = async (service: Service): Promise<number> =>
    (await service.pm.getAccount({ address: payer.address })).balance;

  async function frontRun({ authorization }: Payment): Promise<void> {
    const stranger = randomAddress();
    await chain.giveGas(stranger);
    await chain.mined(await chain.send(stranger, authorizationData(authorization) ?? '0x'));
  }

  it('honour a payment at one of them', async () => {
    const [first, second] = [await deploy(), await deploy()];
    const headers = await signed(first, DEPOSIT);
    expect(await codeOf(first, DEPOSIT, headers)).toBe('201 ');
    await pass(5);
    expect(await codeOf(second, DEPOSIT, headers)).toBe('402 PAYMENT_INVALID');
    await pass(60);
    expect(await codeOf(second, DEPOSIT, headers)).toBe('402 PAYMENT_INVALID');
    expect([await credited(first), await credited(second)]).toEqual([25, 0]);
    expect(await chain.tokens(payTo)).toBe(25n * USD);
  });

  it('honour a payment at one of them, also where they share the settler', async () => {
    const settler = randomWallet();
    const [first, second] = [await deploy({ settler }), await deploy({ settler })];
    const headers = await signed(first, DEPOSIT);
    expect(await codeOf(first, DEPOSIT, headers)).toBe('201 ');
    await pass(5);
    expect(await codeOf(second, DEPOSIT, headers)).toBe('402 PAYMENT_INVALID');
    expect(await credited(second)).toBe(0);
  });

  it.each([
    [-500_000, '503 FACILITATOR_UNAVAILABLE'],
    [-30_000, '402 PAYMENT_INVALID'],
    [30_000, '402 PAYMENT_INVALID'],
    [250_000, '402 PAYMENT_INVALID'],
  ])(
    'honour a payment at one of them, also where the clock of the other is off by %i ms',
    async (clockOffsetMs, refusal) => {
      const [first, second] = [await deploy(), await deploy({ clockOffsetMs })];
      const headers = await signed(first, DEPOSIT);
      expect(await codeOf(first, DEPOSIT, headers)).toBe('201 ');
      await pass(10);
      expect(await codeOf(second, DEPOSIT, headers)).toBe(refusal);
      expect(await credited(second)).toBe(0);
    },
  );

  it('honour a payment that a stranger submits after it was presented here', async () => {
    const service = await deploy({
      around: (inner) => ({
        verify: async (payment, requirements) => {
          await frontRun(payment);
          await pass(2);
          return inner.verify(payment, requirements);
        },
      }),
    });
    expect(await codeOf(service, FEED, await signed(service, FEED))).toBe('200 ');
    expect(await chain.tokens(payTo)).toBe(1_000n);
  });

  it('honour a payment that their settler sent although their clock is ahead of the chain', async () => {
    const service = await deploy({
      clockOffsetMs: 30_000,
      around: (inner) => ({
        settle: async (payment, requirements) => {
          await inner.settle(payment, requirements);
          return { status: 'unknown', reason: 'its answer was lost' };
        },
      }),
    });
    const headers = await signed(service, FEED);
    expect(await codeOf(service, FEED, headers)).toBe('503 SETTLEMENT_PENDING');
    expect(await codeOf(service, FEED, headers)).toBe('200 ');
  });

  it('leave to operators a payment that a stranger submitted before it was presented, by an outdated verification', async () => {
    const service = await deploy({
      around: () => ({
        verify: async () => ({ status: 'valid' }),
        settle: async () => ({ status: 'spent', reason: 'a stranger was faster' }),
      }),
    });
    const headers = await signed(service, FEED);
    const [encoded] = Object.values(headers) as [string];
    const { payload } = JSON.parse(Buffer.from(encoded, 'base64').toString()) as {
      payload: { signature: string; authorization: Payment['authorization'] };
    };
    await frontRun({ form: 'v2', authorization: { ...payload.authorization, signature: payload.signature } });
    await pass(10);
    expect(await codeOf(service, FEED, headers)).toBe('503 SETTLEMENT_PENDING');
    expect(service.errors.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/spent before it was presented here/),
    );
  });
});
