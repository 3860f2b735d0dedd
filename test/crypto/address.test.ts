import fc from 'fast-check';
import { getAddress } from 'ethers';
import { abbreviateAddress, checksumAddress, parseAddress } from '../../src/crypto/address';

/** Test vectors of EIP-55. */
const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('addresses', () => {
  it.each(VECTORS)('%s is its own EIP-55 form', (address) => {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
    expect(parseAddress(address)).toBe(address.toLowerCase());
  });

  it('may be written all in lower or all in upper case', () => {
    expect(parseAddress(MIXED.toLowerCase())).toBe(MIXED.toLowerCase());
    expect(parseAddress(`0x${MIXED.slice(2).toUpperCase()}`)).toBe(MIXED.toLowerCase());
  });

  it.each([
    ['one letter in the wrong case', MIXED.replace('aA', 'aa')],
    ['no prefix', MIXED.slice(2)],
    ['an upper-case prefix', MIXED.toLowerCase().replace('0x', '0X')],
    ['39 digits', MIXED.slice(0, -1)],
    ['41 digits', `${MIXED}0`],
    ['a letter beyond f', `${MIXED.toLowerCase().slice(0, -1)}g`],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['a line break behind', `${MIXED}\n`],
    ['white space before', ` ${MIXED}`],
    ['an empty text', ''],
    ['a number', 0x5aaeb],
    ['nothing', undefined],
    ['null', null],
    ['an array of one', [MIXED]],
  ])('are refused with %s', (_what, text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('have the EIP-55 form that ethers gives them, when asked for once or twice', () => {
    const digits = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(digits, (bytes) => {
        const address = `0x${Buffer.from(bytes).toString('hex')}`;
        expect(checksumAddress(address)).toBe(getAddress(address));
        expect(checksumAddress(address)).toBe(getAddress(address));
      }),
    );
  });

  it('stay right when more are asked for than the cache remembers', () => {
    for (let number = 1; number <= 5_000; number += 1) {
      checksumAddress(`0x${number.toString(16).padStart(40, 'a')}`);
    }
    expect(checksumAddress(MIXED.toLowerCase())).toBe(MIXED);
  });

  it('are abbreviated in their EIP-55 digits', () => {
    expect(abbreviateAddress(MIXED.toLowerCase())).toBe('0x5aAe...eAed');
  });
});
