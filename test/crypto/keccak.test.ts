import { keccak256 as reference } from 'ethers';
import fc from 'fast-check';
import { keccak256, keccak256Pure, loadKeccak, type Keccak256 } from '../../src/crypto/keccak';
import { describeWith } from '../support/optional';

describe('the choice of the hash', () => {
  it('is the pure one where the binding cannot be loaded, or is wrong', () => {
    const missing = (): never => {
      throw new Error('not installed');
    };
    const wrong = () => () => ({ update: () => ({ digest: () => Buffer.alloc(32) }) });
    for (const load of [missing, wrong]) {
      expect(loadKeccak(load)).toEqual({ implementation: 'pure', keccak256: keccak256Pure });
    }
  });
});

describe('the native hash', () => {
  const documented = () => {
    const parts: Uint8Array[] = [];
    const hasher = {
      update: (data: Buffer) => (parts.push(Buffer.from(data)), hasher),
      digest: () => keccak256Pure(Buffer.concat(parts)),
    };
    return hasher;
  };
  const refusing = {
    update: () => {
      throw new Error('the sponge is used instead');
    },
  };

  it('uses one sponge for all hashes, and starts it again before each', () => {
    let made = 0;
    let absorbed: Buffer[] = [];
    const sponge = {
      initialize: () => (absorbed = []),
      absorb: (data: Buffer) => absorbed.push(Buffer.from(data)),
      squeeze: () => keccak256Pure(Buffer.concat(absorbed)),
    };
    const { implementation, keccak256: hash } = loadKeccak(() => () => {
      made += 1;
      return { ...refusing, _state: sponge };
    });
    expect(implementation).toBe('native');
    for (const text of ['abc', '', 'abc'])
      expect(hash(Buffer.from(text))).toEqual(keccak256Pure(Buffer.from(text)));
    expect(made).toBe(1);
  });

  it.each([
    ['has no sponge', undefined],
    ['has a sponge without the functions', {}],
    [
      'has a sponge that does not start again',
      (() => {
        const absorbed: Buffer[] = [];
        return {
          initialize: () => undefined,
          absorb: (data: Buffer) => absorbed.push(Buffer.from(data)),
          squeeze: () => keccak256Pure(Buffer.concat(absorbed)),
        };
      })(),
    ],
  ])('goes by the documented functions if the package %s', (_what, sponge) => {
    const { implementation, keccak256: hash } = loadKeccak(() => () => ({ ...documented(), _state: sponge }));
    expect(implementation).toBe('native');
    expect(hash(Buffer.from('abc'))).toEqual(keccak256Pure(Buffer.from('abc')));
  });
});

describe('Keccak-256, pure', () => describeHash(keccak256Pure));
describeWith('native hash', 'Keccak-256, native', () => {
  it('is the one in use', () => expect(loadKeccak().implementation).toBe('native'));
  describeHash(keccak256);
});

function describeHash(hash: Keccak256): void {
  const hashOf = (data: Uint8Array): string => `0x${hash(data).toString('hex')}`;

  it.each([
    ['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('hashes "%s" to the published digest', (text, hash) => {
    expect(hashOf(Buffer.from(text))).toBe(hash);
  });

  it('agrees with ethers at every length up to three blocks', () => {
    for (let length = 0; length <= 3 * 136 + 1; length += 1) {
      const data = Uint8Array.from({ length }, (_, index) => (index * 131 + length) & 0xff);
      expect(hashOf(data)).toBe(reference(data));
    }
  });

  it('agrees with ethers on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => expect(hashOf(data)).toBe(reference(data))),
      { numRuns: 300 },
    );
  });

  it('reads a part of a larger buffer, and does not change the buffer', () => {
    const whole = Buffer.alloc(400, 7);
    const part = whole.subarray(13, 213);
    expect(hashOf(part)).toBe(reference(Uint8Array.from(part)));
    expect(whole).toEqual(Buffer.alloc(400, 7));
  });
}
