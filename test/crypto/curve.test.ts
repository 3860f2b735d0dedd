import { getBytes, hashMessage, hexlify, Wallet } from 'ethers';
import fc from 'fast-check';
import { activeCurve, loadCurve, recoverPublicKeyPure } from '../../src/crypto/curve';
import { createSignerRecovery, parseSignature, type SignerRecovery } from '../../src/crypto/signature';
import { describeWith } from '../support/optional';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF = ORDER / 2n;
/** The prime of the field of secp256k1. Some x coordinates are below this prime and above the order of the curve. */
const PRIME = 2n ** 256n - 2n ** 32n - 977n;
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;

const hex = (value: bigint): string => value.toString(16).padStart(64, '0');
const compactOf = (r: bigint, s: bigint): Uint8Array => getBytes(`0x${hex(r)}${hex(s)}`);

const native = loadCurve();
const nativeRecovery = createSignerRecovery(native.recoverPublicKey);
const pureRecovery = createSignerRecovery(recoverPublicKeyPure);

describe('the choice of the curve', () => {
  it.each<[what: string, load: (name: string) => unknown, reason: string]>([
    [
      'is not installed',
      () => {
        throw new Error('Cannot find module');
      },
      'Cannot find module',
    ],
    [
      'fails with something that is no error',
      () => {
        const notAnError: unknown = 'dlopen';
        throw notAnError;
      },
      'dlopen',
    ],
    ['is something else', () => ({}), 'it does not recover a known key'],
    ['is nothing', () => undefined, 'it does not recover a known key'],
    [
      'recovers other keys',
      () => ({ ecdsaRecover: () => new Uint8Array(65) }),
      'it does not recover a known key',
    ],
  ])('is the pure one where the binding %s', (_what, load, reason) => {
    expect(loadCurve(load)).toEqual({
      implementation: 'pure',
      recoverPublicKey: recoverPublicKeyPure,
      fallbackReason: reason,
    });
  });

  it('asks for the binding alone, never for the JavaScript that the package falls back to', () => {
    const asked: string[] = [];
    loadCurve((name) => asked.push(name));
    expect(asked).toEqual(['secp256k1/bindings']);
  });
});

const MESSAGE = 'Some data';
const wallet = new Wallet('0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
const SIGNED = wallet.signMessageSync(MESSAGE);
const R = SIGNED.slice(2, 66);
const S = SIGNED.slice(66, 130);
const TWIN_S = hex(ORDER - BigInt(`0x${S}`));
const V = SIGNED.slice(130);
const OTHER_V = V === '1c' ? '1b' : '1c';

const COMPACT_FORM = hex(BigInt(`0x${S}`) + (V === '1c' ? 2n ** 255n : 0n));

function describeRecovery(recovery: SignerRecovery): void {
  const signerOf = (signature: string) => recovery.recoverPersonalSigner(MESSAGE, signature);
  const signer = wallet.address.toLowerCase();

  it.each([
    ['as signed', SIGNED],
    ['with the recovery bit itself', `0x${R}${S}${V === '1c' ? '01' : '00'}`],
    ['in capitals', `0x${SIGNED.slice(2).toUpperCase()}`],
  ])('names the signer %s', (_what, signature) => {
    expect(signerOf(signature)).toBe(signer);
  });

  it('finds another signer at the other recovery bit', () => {
    expect(signerOf(`0x${R}${S}${OTHER_V}`)).toMatch(/^0x[0-9a-f]{40}$/);
    expect(signerOf(`0x${R}${S}${OTHER_V}`)).not.toBe(signer);
  });

  it.each([
    ['high s', `0x${R}${TWIN_S}${OTHER_V}`],
    ['high s with the same bit', `0x${R}${TWIN_S}${V}`],
    ['s just above half the order', `0x${R}${hex(HALF + 1n)}1b`],
    ['s above half of all numbers', `0x${R}${hex(2n ** 255n)}1b`],
    ['s of zero', `0x${R}${hex(0n)}1b`],
    ['s of the order', `0x${R}${hex(ORDER)}1b`],
    ['s above the order', `0x${R}${hex(2n ** 256n - 1n)}1b`],
    ['r of zero', `0x${hex(0n)}${S}1b`],
    ['r of the order', `0x${hex(ORDER)}${S}1b`],
    ['r above the order', `0x${hex(ORDER + 2n)}${S}1b`],
    ['r of the prime', `0x${hex(PRIME)}${S}1b`],
    ['r that is no abscissa', `0x${hex(5n)}${S}1b`],
    ['v of 2, for an abscissa above the order', `0x${R}${S}02`],
    ['v of 29', `0x${R}${S}1d`],
    ['v of EIP-155', `0x${R}${S}4226`],
    ['EIP-2098', `0x${R}${COMPACT_FORM}`],
    ['an odd length', SIGNED.slice(0, -1)],
    ['a byte more', `${SIGNED}00`],
    ['no prefix', SIGNED.slice(2)],
    ['no digits', `0x${'zz'.repeat(65)}`],
    ['nothing', ''],
  ])('refuses %s', (_what, signature) => {
    expect(signerOf(signature)).toBeNull();
  });
}

describe('recovery by the pure curve', () => describeRecovery(pureRecovery));
describeWith('native curve', 'recovery by the native curve', () => describeRecovery(nativeRecovery));

describeWith('native curve', 'native and pure', () => {
  it('are the choice and its fallback', () => {
    expect(native).toMatchObject({ implementation: 'native', fallbackReason: null });
    expect(activeCurve().implementation).toBe('native');
    expect(activeCurve()).toBe(activeCurve());
  });

  const bothOf = (digest: Uint8Array, compact: Uint8Array, bit: 0 | 1): (string | null)[] =>
    [native.recoverPublicKey, recoverPublicKeyPure].map((recover) => {
      const key = recover(digest, compact, bit);
      return key === null ? null : hexlify(key);
    });

  it.each([
    ['zero', 0n],
    ['the order', ORDER],
    ['all ones', 2n ** 256n - 1n],
    ['one', 1n],
  ])('agree on a digest of %s', (_what, digest) => {
    const [mine, other] = bothOf(getBytes(`0x${hex(digest)}`), compactOf(GENERATOR_X, 7n), 0);
    expect(mine).toMatch(/^0x04[0-9a-f]{128}$/);
    expect(mine).toBe(other);
  });

  it('agree that no key is the point at infinity', () => {
    // With the generator as the point, s * point - digest * generator is the point at infinity.
    const digest = getBytes(`0x${hex(7n)}`);
    expect(bothOf(digest, compactOf(GENERATOR_X, 7n), 0)).toEqual([null, null]);
  });

  it('agree at the ends of the ranges', () => {
    for (const r of [1n, 2n, 3n, 5n, ORDER - 1n, ORDER - 2n]) {
      for (const s of [1n, HALF]) {
        for (const bit of [0, 1] as const) {
          const [mine, other] = bothOf(new Uint8Array(32).fill(9), compactOf(r, s), bit);
          expect(mine).toBe(other);
        }
      }
    }
  });

  it('name the same signer for every signature of a wallet', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: ORDER - 1n }), fc.string(), (key, message) => {
        const signing = new Wallet(`0x${hex(key)}`);
        const signature = signing.signMessageSync(message);
        const expected = signing.address.toLowerCase();
        expect(nativeRecovery.recoverPersonalSigner(message, signature)).toBe(expected);
        expect(pureRecovery.recoverPersonalSigner(message, signature)).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('agree on any numbers, in range or out of it', () => {
    const number = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.bigInt({ min: 0n, max: HALF }),
      fc.constantFrom(0n, 1n, HALF, HALF + 1n, ORDER - 1n, ORDER, PRIME - 1n, PRIME, GENERATOR_X),
    );
    const ending = fc.constantFrom('00', '01', '1b', '1c', '1B', '1C', '02', '03', '1d', '');
    fc.assert(
      fc.property(number, number, ending, fc.string(), (r, s, v, message) => {
        const signature = `0x${hex(r)}${hex(s)}${v}`;
        expect(nativeRecovery.recoverPersonalSigner(message, signature)).toBe(
          pureRecovery.recoverPersonalSigner(message, signature),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('agree on every signature that passes for one', () => {
    const digest = getBytes(hashMessage(MESSAGE));
    const inRange = fc.bigInt({ min: 1n, max: HALF });
    fc.assert(
      fc.property(inRange, inRange, fc.boolean(), (r, s, isOdd) => {
        const parsed = parseSignature(`0x${hex(r)}${hex(s)}${isOdd ? '1c' : '1b'}`);
        if (parsed === null) throw new Error('in range, and refused');
        const [mine, other] = bothOf(digest, parsed.compact, parsed.recoveryBit);
        expect(mine).toBe(other);
      }),
      { numRuns: 40 },
    );
  });
});
