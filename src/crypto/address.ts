/** EVM addresses: in lower case in the code, in the EIP-55 form (mixed-case checksum) in answers. */
import { BoundedMap } from '../domain/bounded-map';
import type { Address } from '../domain/types';
import { keccak256 } from './keccak';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ONE_CASE = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** How many checksummed forms are cached, because computing a form takes a hash. */
const CACHED_CHECKSUMS = 4096;
const checksums = new BoundedMap<Address, string>(CACHED_CHECKSUMS);

/**
 * The lower-case form of `0x` and 40 hex digits. `null` for every other value. Digits in mixed case must have
 * the right EIP-55 checksum. The zero address is refused, because it stands for no wallet.
 */
export function parseAddress(text: unknown): Address | null {
  if (typeof text !== 'string' || !ADDRESS.test(text)) return null;
  const address = text.toLowerCase();
  if (address === ZERO_ADDRESS) return null;
  return ONE_CASE.test(text) || checksumAddress(address) === text ? address : null;
}

export function checksumAddress(address: Address): string {
  const known = checksums.get(address);
  if (known !== undefined) return known;
  const checksummed = computeChecksum(address);
  checksums.set(address, checksummed);
  return checksummed;
}

/** The form `0x1234...abcd` with the EIP-55 spelling, in which the public list of trades shows a trader. */
export function abbreviateAddress(address: Address): string {
  const checksummed = checksumAddress(address);
  return `${checksummed.slice(0, 6)}...${checksummed.slice(-4)}`;
}

function computeChecksum(address: Address): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak256(Buffer.from(digits)).toString('hex');
  const cased = Array.from(digits, (digit, index) =>
    parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}
