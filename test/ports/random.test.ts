import { systemRandom } from '../../src/ports/random';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('randomness of the system', () => {
  it.each([0, 1, 12, 64, 65, 5000])('gives %i bytes when asked for them', (length) => {
    expect(systemRandom.bytes(length)).toHaveLength(length);
  });

  it('never gives the same bytes twice', () => {
    const given = Array.from({ length: 2000 }, () => hex(systemRandom.bytes(16)));
    expect(new Set(given).size).toBe(given.length);
    expect(given).not.toContain('0'.repeat(32));
  });

  it('never changes bytes that it has given to a caller', () => {
    const mine = systemRandom.bytes(32);
    const before = hex(mine);
    for (let round = 0; round < 500; round += 1) systemRandom.bytes(32).fill(0);
    expect(hex(mine)).toBe(before);
    expect(mine.buffer.byteLength).toBe(32);
  });
});
