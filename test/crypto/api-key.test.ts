import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  apiKeyPrefix,
  base62,
  generateApiKey,
  hashApiKey,
  isWellFormedApiKey,
} from '../../src/crypto/api-key';
import type { Random } from '../../src/ports/random';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 of IEEE 802.3, computed bit by bit. The code under test uses a table. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function cycling(bytes: readonly number[]): Random {
  let position = 0;
  return {
    bytes: (length) => Uint8Array.from({ length }, () => bytes[position++ % bytes.length] ?? 0),
  };
}

const sampleKey = fc
  .uint8Array({ minLength: 64, maxLength: 64 })
  .filter((bytes) => bytes.some((byte) => byte < 248))
  .map((bytes) => generateApiKey(cycling([...bytes])));

describe('base62', () => {
  it.each([
    [0, '000000'],
    [9, '000009'],
    [10, '00000A'],
    [35, '00000Z'],
    [36, '00000a'],
    [61, '00000z'],
    [62, '000010'],
    [62 ** 5, '100000'],
    [0xffffffff, '4gfFC3'],
  ])('writes %s as %s', (value, text) => {
    expect(base62(value, 6)).toBe(text);
  });
});

describe('API keys', () => {
  it('end in the CRC-32 of their 30 characters, in base62', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    fc.assert(
      fc.property(sampleKey, (key) => {
        const [, body = '', checksum = ''] = /^pmk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(key) ?? [];
        expect(checksum).toBe(base62(crc32(body), 6));
        expect(isWellFormedApiKey(key)).toBe(true);
      }),
    );
  });

  it('notice every character that is mistyped', () => {
    const key = generateApiKey(cycling([...Array(50).keys()]));
    fc.assert(
      fc.property(fc.integer({ min: 4, max: key.length - 1 }), fc.constantFrom(...ALPHABET), (at, other) => {
        fc.pre(key.charAt(at) !== other);
        expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each(['', 'pmk_', 'pmk_short', ' ', 'Bearer x'])('cannot be %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  it('cannot be longer or shorter, have another mark or end with a line break', () => {
    const key = generateApiKey(cycling([7, 99, 180]));
    for (const text of [`${key}0`, key.slice(0, -1), key.replace('pmk_', 'PMK_'), key.slice(4), `${key}\n`]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });

  it('favour no character, because bytes beyond the last multiple of 62 are drawn again', () => {
    const everyByte = [...Array(256).keys()];
    const drawn = new Map<string, number>();
    const random = cycling(everyByte);
    for (let round = 0; round < 248; round += 1) {
      for (const character of generateApiKey(random).slice(4, 34)) {
        drawn.set(character, (drawn.get(character) ?? 0) + 1);
      }
    }
    expect([...drawn.keys()].sort()).toEqual([...ALPHABET].sort());
    expect(isWellFormedApiKey(generateApiKey(cycling([255, 248, 250, 3])))).toBe(true);
    expect(generateApiKey(cycling([255, 248, 250, 3])).slice(4, 34)).toBe('3'.repeat(30));
  });

  it('are stored as the SHA-256 of the whole text', () => {
    const key = generateApiKey(cycling([1, 2, 3]));
    expect(hashApiKey(key)).toBe(createHash('sha256').update(key, 'ascii').digest('hex'));
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('are shown by their first four characters and an ellipsis', () => {
    const key = generateApiKey(cycling([10, 11, 12, 13]));
    expect(apiKeyPrefix(key)).toBe('pmk_ABCD…');
  });
});
