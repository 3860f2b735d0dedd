import { Wallet } from 'ethers';
import fc from 'fast-check';
import { recoverPublicKeyPure } from '../../src/crypto/curve';
import {
  createSignerRecovery,
  parseSignature,
  recoverPersonalSigner,
  recoverTransferSigner,
} from '../../src/crypto/signature';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const KNOWN = {
  key: '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
  message: 'Some data',
  signature:
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd' +
    '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  signer: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
};
const R = KNOWN.signature.slice(2, 66);
const S = KNOWN.signature.slice(66, 130);

const hex = (value: bigint): string => value.toString(16).padStart(64, '0');

describe('the recovery of a personal_sign signer', () => {
  it('names the signer of a known vector', () => {
    expect(recoverPersonalSigner(KNOWN.message, KNOWN.signature)).toBe(KNOWN.signer);
  });

  it.each(['1c', '1C', '01'])('knows the odd point as v %s', (v) => {
    expect(recoverPersonalSigner(KNOWN.message, `0x${R}${S}${v}`)).toBe(KNOWN.signer);
  });

  it.each(['1b', '00'])("takes v %s for the other point, which is another signer's", (v) => {
    const signer = recoverPersonalSigner(KNOWN.message, `0x${R}${S}${v}`);
    expect(signer).not.toBe(KNOWN.signer);
  });

  it('takes signatures in capitals, except for the prefix', () => {
    const capitals = `0x${KNOWN.signature.slice(2).toUpperCase()}`;
    expect(recoverPersonalSigner(KNOWN.message, capitals)).toBe(KNOWN.signer);
    expect(recoverPersonalSigner(KNOWN.message, capitals.replace('0x', '0X'))).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', '0x'],
    ['no prefix', KNOWN.signature.slice(2)],
    ['64 bytes (EIP-2098)', KNOWN.signature.slice(0, -2)],
    ['66 bytes', `${KNOWN.signature}00`],
    ['half a byte more', `${KNOWN.signature}0`],
    ['a letter beyond f', `0xg${KNOWN.signature.slice(3)}`],
    ['white space around', ` ${KNOWN.signature} `],
    ['a line break behind', `${KNOWN.signature}\n`],
    ['v of 2', `0x${R}${S}02`],
    ['v of 26', `0x${R}${S}1a`],
    ['v of 29', `0x${R}${S}1d`],
    ['v of EIP-155', `0x${R}${S}25`],
    ['r of zero', `0x${hex(0n)}${S}1c`],
    ['r of the order', `0x${hex(ORDER)}${S}1c`],
    ['s of zero', `0x${R}${hex(0n)}1c`],
    ['s of the order', `0x${R}${hex(ORDER)}1c`],
    ['all zeros', `0x${'0'.repeat(130)}`],
    ['all ones', `0x${'f'.repeat(130)}`],
  ])('refuses %s', (_what, signature) => {
    expect(parseSignature(signature)).toBeNull();
    expect(recoverPersonalSigner(KNOWN.message, signature)).toBeNull();
  });

  it('refuses the malleable twin with high s', () => {
    const twin = `0x${R}${hex(ORDER - BigInt(`0x${S}`))}1b`;
    expect(recoverPersonalSigner(KNOWN.message, twin)).toBeNull();
  });

  it('draws the line at half the order', () => {
    const half = ORDER / 2n;
    expect(parseSignature(`0x${R}${hex(half)}1c`)).not.toBeNull();
    expect(parseSignature(`0x${R}${hex(half + 1n)}1c`)).toBeNull();
  });

  it('finds no signer when r is no abscissa of the curve', () => {
    // 5^3 + 7 = 132 is no square modulo the prime of the field, so no point has the x coordinate 5.
    expect(recoverPersonalSigner(KNOWN.message, `0x${hex(5n)}${S}1c`)).toBeNull();
  });

  it('has no digest for a text with a lone surrogate', () => {
    expect(recoverPersonalSigner('\ud800', KNOWN.signature)).toBeNull();
  });

  it('agrees with ethers for any text', () => {
    const wallet = new Wallet(KNOWN.key);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (message) => {
        fc.pre(!/\p{Surrogate}/u.test(message));
        expect(recoverPersonalSigner(message, wallet.signMessageSync(message))).toBe(KNOWN.signer);
      }),
      { numRuns: 20 },
    );
  });

  it('writes signatures with any v in one form', () => {
    expect(parseSignature(`0x${R}${S}01`)?.normalized).toBe(KNOWN.signature);
    expect(parseSignature(`0x${R}${S}00`)?.normalized).toBe(`0x${R}${S}1b`);
  });

  it('lets another curve implementation take the place of the pure one', () => {
    const asked: number[] = [];
    const recovery = createSignerRecovery((digest, compact, bit) => {
      asked.push(digest.length, compact.length, bit);
      return recoverPublicKeyPure(digest, compact, bit);
    });
    expect(recovery.recoverPersonalSigner(KNOWN.message, KNOWN.signature)).toBe(KNOWN.signer);
    expect(asked).toEqual([32, 64, 1]);
  });
});

describe('transfer authorizations', () => {
  const wallet = new Wallet(KNOWN.key);
  const domain = {
    name: 'USD Coin',
    version: '2',
    chainId: 8453n,
    verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  };
  const authorization = {
    from: KNOWN.signer,
    to: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    value: '1000000',
    validAfter: '0',
    validBefore: '1893456000',
    nonce: `0x${'ab'.repeat(32)}`,
  };
  const fields = (type: string, ...names: string[]): { name: string; type: string }[] =>
    names.map((name) => ({ name, type }));
  const types = {
    TransferWithAuthorization: [
      ...fields('address', 'from', 'to'),
      ...fields('uint256', 'value', 'validAfter', 'validBefore'),
      ...fields('bytes32', 'nonce'),
    ],
  };
  const sign = (): Promise<string> => wallet.signTypedData(domain, types, authorization);

  it('name their signer', async () => {
    expect(recoverTransferSigner(authorization, domain, await sign())).toBe(KNOWN.signer);
  });

  it.each([
    ['recipient', { to: KNOWN.signer }],
    ['value', { value: '1000001' }],
    ['window', { validBefore: '1893456001' }],
    ['nonce', { nonce: `0x${'ac'.repeat(32)}` }],
  ])('do not hold for another %s', async (_what, change) => {
    const signer = recoverTransferSigner({ ...authorization, ...change }, domain, await sign());
    expect(signer).not.toBe(KNOWN.signer);
  });

  it('do not hold on another chain or for another token', async () => {
    const signature = await sign();
    expect(recoverTransferSigner(authorization, { ...domain, chainId: 1n }, signature)).not.toBe(
      KNOWN.signer,
    );
    expect(recoverTransferSigner(authorization, { ...domain, name: 'USDC' }, signature)).not.toBe(
      KNOWN.signer,
    );
  });

  it.each([
    ['a negative value', { value: '-1' }],
    ['a value beyond 256 bits', { value: (2n ** 256n).toString() }],
    ['a short nonce', { nonce: '0x00' }],
    ['a name for an address', { to: 'vitalik.eth' }],
    ['no number', { validAfter: 'soon' }],
  ])('have no signer with %s', async (_what, change) => {
    expect(recoverTransferSigner({ ...authorization, ...change }, domain, await sign())).toBeNull();
  });
});
