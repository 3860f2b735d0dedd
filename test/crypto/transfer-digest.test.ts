import { getAddress, hexlify, TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import { transferDigest, type TokenDomain } from '../../src/crypto/transfer-digest';

const DOMAIN: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
};
const AUTHORIZATION = {
  from: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
  to: '0x27b1fdb04752bbc536007a920d24acb045561c26',
  value: '1000000',
  validAfter: '0',
  validBefore: '1893456000',
  nonce: `0x${'ab'.repeat(32)}`,
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

const digestOf = (authorization: typeof AUTHORIZATION, domain = DOMAIN): string | null => {
  const digest = transferDigest(authorization, domain);
  return digest === null ? null : hexlify(digest);
};
const expectedOf = (authorization: typeof AUTHORIZATION, domain = DOMAIN): string =>
  TypedDataEncoder.hash(domain, TYPES, authorization);

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => hexlify(array));
const anyAddress = hexOf(20).filter((address) => !/^0x0*$/.test(address));
const integer = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.nat().map(BigInt),
  fc.constantFrom(0n, 10n ** 14n - 1n, 10n ** 14n, 2n ** 48n - 1n, 2n ** 48n, 2n ** 53n, 2n ** 256n - 1n),
);

describe('the digest of a transfer authorization', () => {
  it('is what the general encoder makes of it, for any fields', () => {
    fc.assert(
      fc.property(
        fc.record({
          from: anyAddress,
          to: fc.oneof(anyAddress, anyAddress.map(getAddress)),
          value: integer.map(String),
          validAfter: integer.map(String),
          validBefore: integer.map(String),
          nonce: hexOf(32),
        }),
        (authorization) => expect(digestOf(authorization)).toBe(expectedOf(authorization)),
      ),
      { numRuns: 200 },
    );
  });

  it('is what the general encoder makes of it, for any tokens one after the other', () => {
    fc.assert(
      fc.property(
        fc.record({
          name: fc.string(),
          version: fc.string(),
          chainId: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n })),
          verifyingContract: anyAddress,
        }),
        (domain) => {
          expect(digestOf(AUTHORIZATION, domain)).toBe(expectedOf(AUTHORIZATION, domain));
          expect(digestOf(AUTHORIZATION)).toBe(expectedOf(AUTHORIZATION));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('follows a domain that is changed in place', () => {
    const domain = { ...DOMAIN };
    digestOf(AUTHORIZATION, domain);
    domain.version = '3';
    expect(digestOf(AUTHORIZATION, domain)).toBe(expectedOf(AUTHORIZATION, domain));
  });

  it.each([
    ['a negative value', { value: '-1' }],
    ['a value beyond 256 bits', { value: (2n ** 256n).toString() }],
    ['a value of 79 digits', { value: '0'.repeat(79) }],
    ['a value with a fraction', { value: '1.0' }],
    ['a value in hex', { value: '0x10' }],
    ['an empty value', { value: '' }],
    ['white space in a value', { value: ' 1' }],
    ['a line break behind a time', { validBefore: '1\n' }],
    ['no number', { validAfter: 'soon' }],
    ['a short nonce', { nonce: '0x00' }],
    ['a nonce without prefix', { nonce: 'ab'.repeat(33) }],
    ['a nonce with a letter beyond f', { nonce: `0x${'ag'.repeat(32)}` }],
    ['a name for an address', { to: 'vitalik.eth' }],
    ['a short address', { from: '0x1234' }],
    ['an address with a wrong checksum', { to: '0x27b1fdB04752bbc536007a920d24acb045561c26' }],
  ])('does not exist with %s', (_what, change) => {
    expect(digestOf({ ...AUTHORIZATION, ...change })).toBeNull();
  });

  it.each([
    ['contract', { verifyingContract: 'usdc' }],
    ['chain', { chainId: 'base' }],
  ])('does not exist for a token without a %s', (_what, change) => {
    expect(digestOf(AUTHORIZATION, { ...DOMAIN, ...change })).toBeNull();
  });
});
