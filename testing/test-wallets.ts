import { createHash } from 'node:crypto';
import { Wallet } from 'ethers';

/**
 * A wallet that can sign. The same name gives the same wallet in every run. The key of the wallet is public:
 * never send money to it.
 */
export function testWallet(name: string | number): Wallet {
  return new Wallet(`0x${createHash('sha256').update(`test wallet ${name}`).digest('hex')}`);
}

/** The wallets `testWallet(0)` to `testWallet(count - 1)`. */
export function testWallets(count: number): Wallet[] {
  return Array.from({ length: count }, (_, index) => testWallet(index));
}
