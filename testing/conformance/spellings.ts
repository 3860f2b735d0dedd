import { getAddress } from 'ethers';

/** The forms in which people write an address. A text that is no address stays as it is. */
export const SPELLINGS = {
  'lower case': (address: string): string => (isHex(address) ? address.toLowerCase() : address),
  'EIP-55 form': (address: string): string => (isHex(address) ? getAddress(address.toLowerCase()) : address),
} as const;

const isHex = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
