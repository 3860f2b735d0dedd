import { Wallet } from 'ethers';
import fc from 'fast-check';
import { newSecret, signerOfSecret } from '../../site/browser/throw-away/signer';

const secret = fc
  .uint8Array({ minLength: 31, maxLength: 31 })
  .map((bytes) => `0x01${Buffer.from(bytes).toString('hex')}`);
const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);

const payment = fc.record({
  domain: fc.record({
    name: fc.string({ unit: 'binary' }),
    version: fc.string(),
    chainId: fc.integer({ min: 1, max: 2 ** 40 }),
    verifyingContract: hex(20),
  }),
  message: fc.record({
    to: hex(20),
    value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
    nonce: hex(32),
  }),
});
const types = {
  Transfer: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

it('the throw-away wallet has the address and signs messages and payments like ethers', async () => {
  await fc.assert(
    fc.asyncProperty(secret, fc.string({ unit: 'grapheme' }), payment, async (key, text, data) => {
      const ours = signerOfSecret(key);
      const theirs = new Wallet(key);
      expect(ours.address).toBe(theirs.address);
      expect(await ours.signMessage(text)).toBe(await theirs.signMessage(text));
      expect(await ours.signPayment({ ...data, types, primaryType: 'Transfer' })).toBe(
        await theirs.signTypedData(data.domain, types, data.message),
      );
    }),
    { numRuns: 25 },
  );
});

it('the throw-away wallet makes a new secret each time', () => {
  expect(newSecret()).toMatch(/^0x[0-9a-f]{64}$/);
  expect(newSecret()).not.toBe(newSecret());
});

it('the throw-away wallet refuses to sign types that it does not know', async () => {
  const data = {
    domain: { name: 'a', version: '1', chainId: 1, verifyingContract: `0x${'1'.repeat(40)}` },
    types: { Mail: [{ name: 'parts', type: 'string[]' }] },
    primaryType: 'Mail',
    message: { parts: 'a' },
  };
  await expect(signerOfSecret(newSecret()).signPayment(data)).rejects.toThrow(
    'cannot sign the type string[]',
  );
});
