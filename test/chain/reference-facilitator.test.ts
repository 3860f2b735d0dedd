import { httpFacilitator } from '../../adapters/facilitator/http';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from './support/anvil';
import { startReferenceFacilitator } from './support/reference-facilitator';
import { randomAddress, randomWallet } from '../support/random-wallet';

const AMOUNT = BigInt(REQUIREMENTS.amount);

describeWith('anvil', 'the reference facilitator, with our payloads,', (binary) => {
  let chain: Chain;
  let reference: Awaited<ReturnType<typeof startReferenceFacilitator>>;
  beforeAll(async () => {
    chain = await startChain(binary);
    const settler = randomWallet();
    await chain.giveGas(settler.address);
    reference = await startReferenceFacilitator(chain.url, settler.privateKey);
  });
  afterAll(async () => {
    await reference.close();
    await chain.stop();
  });

  async function fundedPayer() {
    const payer = randomWallet();
    const requirements = { ...REQUIREMENTS, payTo: randomAddress().toLowerCase() };
    await chain.mint(payer.address, 10n * AMOUNT);
    return { payer, requirements, facilitator: httpFacilitator({ url: reference.url, rpcUrl: chain.url }) };
  }

  it.each([
    ['flat', 'spent'],
    ['v1', 'unknown'],
    ['v2', 'spent'],
  ] as const)('verifies and settles a payment in the form %s, and calls its copy %s', async (form, copy) => {
    const { payer, requirements, facilitator } = await fundedPayer();
    const payment = await signedPayment(payer, requirements, Date.now(), { form });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'valid' });
    const settled = await facilitator.settle(payment, requirements);
    expect(settled.status).toBe('settled');
    expect(await chain.tokens(requirements.payTo)).toBe(AMOUNT);
    expect(await facilitator.lookup(payment, requirements)).toMatchObject(settled);
    expect((await facilitator.settle(payment, requirements)).status).toBe(copy);
    expect(await facilitator.lookup(payment, requirements)).toMatchObject(settled);
    expect(await chain.tokens(requirements.payTo)).toBe(AMOUNT);
  });

  it('is asked through a node that trusts a transfer only at the depth of `confirmations`', async () => {
    const { payer, requirements } = await fundedPayer();
    const facilitator = httpFacilitator({ url: reference.url, rpcUrl: chain.url, confirmations: 3 });
    const payment = await signedPayment(payer, requirements, Date.now());
    const settled = await facilitator.settle(payment, requirements);
    expect((await facilitator.lookup(payment, requirements)).status).toBe('unknown');
    await chain.mine(2);
    expect(await facilitator.lookup(payment, requirements)).toMatchObject(settled);
  });

  it.each(['v1', 'v2'] as const)('tells that the payer has no money, in the form %s', async (form) => {
    const { requirements, facilitator } = await fundedPayer();
    const pauper = randomWallet();
    const payment = await signedPayment(pauper, requirements, Date.now(), { form });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'insufficient_funds' });
  });

  it.each(['v1', 'v2'] as const)(
    'refuses a wrong signature and a wrong amount, in the form %s',
    async (form) => {
      const { payer, requirements, facilitator } = await fundedPayer();
      const less = await signedPayment(payer, requirements, Date.now(), { form, value: '1' });
      expect((await facilitator.verify(less, requirements)).status).toBe('invalid');
      const good = await signedPayment(payer, requirements, Date.now(), { form });
      const authorization = { ...good.authorization, from: randomAddress() };
      expect((await facilitator.verify({ form, authorization }, requirements)).status).toBe('invalid');
    },
  );
});
