import { developmentFacilitator } from '../../adapters/facilitator/development';
import type { Facilitator, PaymentAuthorization, PaymentRequirements } from '../../src/ports/facilitator';
import { testClock, testWallet, type TestClock } from '../../src/testing';

const payer = testWallet('payer');
const payee = testWallet('payee');
const thief = testWallet('thief');
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const requirements: PaymentRequirements = {
  amount: '1000000',
  currency: 'USDC',
  network: 'eip155:8453',
  payTo: payee.address,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
};
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

let clock: TestClock;
let facilitator: Facilitator;
beforeEach(() => {
  clock = testClock();
  facilitator = developmentFacilitator({ startingBalance: 2_500_000n, clock });
});

const seconds = (): number => Math.floor(clock.now() / 1000);
const nonce = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

async function pay(
  change: Partial<PaymentAuthorization> = {},
  signer = payer,
  network = 'eip155:8453',
): Promise<PaymentAuthorization> {
  const fields = {
    from: payer.address,
    to: payee.address,
    value: '1000000',
    validAfter: String(seconds() - 60),
    validBefore: String(seconds() + 300),
    nonce: nonce(1),
    ...change,
  };
  const domain = {
    name: 'USD Coin',
    version: '2',
    chainId: network.split(':')[1],
    verifyingContract: requirements.asset,
  };
  const signature = await signer.signTypedData(domain, TYPES, fields);
  return { ...fields, signature, ...change };
}

describe('the development facilitator', () => {
  it('names itself', () => {
    expect(facilitator.name).toBe('development');
  });

  it('verifies without moving anything, settles, and tells of it', async () => {
    const payment = await pay();
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'valid' });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'valid' });
    expect(await facilitator.lookup(payment, requirements)).toMatchObject({ status: 'unavailable' });
    const settled = await facilitator.settle(payment, requirements);
    expect(settled).toEqual({ status: 'settled', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await facilitator.lookup(payment, requirements)).toEqual(settled);
  });

  it('settles a nonce once, also when copies come at once', async () => {
    const payment = await pay();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => facilitator.settle(payment, requirements)),
    );
    expect(answers.filter((answer) => answer.status === 'settled')).toHaveLength(1);
    expect(await facilitator.verify(payment, requirements)).toMatchObject({ status: 'invalid' });
    const again = await pay({ validBefore: String(seconds() + 100) });
    expect(await facilitator.settle(again, requirements)).toMatchObject({ status: 'invalid' });
  });

  it('lets a wallet spend what it has', async () => {
    for (const number of [1, 2]) {
      const payment = await pay({ nonce: nonce(number) });
      expect(await facilitator.settle(payment, requirements)).toMatchObject({ status: 'settled' });
    }
    const third = await pay({ nonce: nonce(3) });
    expect(await facilitator.verify(third, requirements)).toEqual({ status: 'insufficient_funds' });
    expect(await facilitator.settle(third, requirements)).toEqual({ status: 'insufficient_funds' });
  });

  it('holds a payment to its window, by its clock', async () => {
    const payment = await pay({ validAfter: String(seconds()), validBefore: String(seconds() + 2) });
    expect(await facilitator.verify(payment, requirements)).toEqual({
      status: 'invalid',
      reason: 'not_yet_valid',
    });
    clock.advance(1_000);
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'valid' });
    clock.advance(1_000);
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'invalid', reason: 'expired' });
  });

  it.each([
    ['another recipient', { to: thief.address }, 'recipient_mismatch'],
    ['more than was asked', { value: '1000001' }, 'amount_mismatch'],
    ['less than was asked', { value: '999999' }, 'amount_mismatch'],
  ])('refuses %s', async (_what, change, reason) => {
    expect(await facilitator.verify(await pay(change), requirements)).toEqual({ status: 'invalid', reason });
  });

  it('refuses the signature of another wallet, for another chain, or with high s', async () => {
    const invalid = { status: 'invalid', reason: 'invalid_signature' };
    expect(await facilitator.verify(await pay({}, thief), requirements)).toEqual(invalid);
    expect(await facilitator.verify(await pay({}, payer, 'eip155:1'), requirements)).toEqual(invalid);
    const payment = await pay();
    const s = ORDER - BigInt(`0x${payment.signature.slice(66, 130)}`);
    const v = payment.signature.endsWith('1b') ? '1c' : '1b';
    const signature = payment.signature.slice(0, 66) + s.toString(16).padStart(64, '0') + v;
    expect(await facilitator.settle({ ...payment, signature }, requirements)).toEqual(invalid);
  });

  it.each([
    ['value', '1e6'],
    ['value', '-1000000'],
    ['validAfter', 'soon'],
    ['validBefore', ''],
    ['from', 'nobody'],
    ['to', ''],
    ['nonce', '0x00'],
    ['signature', ''],
    ['signature', '0x'],
  ])('refuses %s of %j without throwing', async (field, value) => {
    const payment = { ...(await pay()), [field]: value };
    expect(await facilitator.verify(payment, requirements)).toMatchObject({ status: 'invalid' });
    expect(await facilitator.settle(payment, requirements)).toMatchObject({ status: 'invalid' });
  });

  it('gives every wallet play money when nothing else is said', async () => {
    expect(await developmentFacilitator({ clock }).verify(await pay(), requirements)).toEqual({
      status: 'valid',
    });
  });
});
