import { createHash } from 'node:crypto';
import { Wallet } from 'ethers';
import { kindOf } from '../src/domain/options';

/**
 * A wallet that can sign. The same name gives the same wallet in every run. The key of the wallet is public:
 * never send money to it.
 */
export function testWallet(name: string | number): Wallet {
  if (typeof name !== 'string' && typeof name !== 'number')
    throw new TypeError(`testWallet: give a name such as 'alice', or a number; got ${kindOf(name)}`);
  return new Wallet(`0x${createHash('sha256').update(`test wallet ${name}`).digest('hex')}`);
}

const WALLET = "a wallet of market.wallet('alice')";

/**
 * The address of a wallet. Without this check, a test that passes another value would fail later, with a
 * message about fields.
 */
export function addressOfWallet(wallet: { address: string }): string {
  const address: unknown = (wallet as { address: string } | undefined)?.address;
  if (typeof address === 'string') return address;
  throw new TypeError(`Not a wallet: ${JSON.stringify(wallet)}; give ${WALLET}`);
}

/** The address of a wallet, or the address that was given. */
export function addressOf(wallet: { address: string } | string): string {
  if (typeof wallet !== 'string') return addressOfWallet(wallet);
  if (wallet.startsWith('0x')) return wallet;
  throw new TypeError(`Not an address: ${JSON.stringify(wallet)}; give ${WALLET}, or its address`);
}

const inWords = (value: unknown): string => (typeof value === 'number' ? String(value) : kindOf(value));

/** The wallets `testWallet(0)` to `testWallet(count - 1)`. */
export function testWallets(count: number): Wallet[] {
  if (!Number.isInteger(count) || count < 0)
    throw new RangeError(`testWallets: give a whole number of wallets, 0 or more; got ${inWords(count)}`);
  return Array.from({ length: count }, (_, index) => testWallet(index));
}
