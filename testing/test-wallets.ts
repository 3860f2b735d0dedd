import { createHash } from 'node:crypto';
import { Wallet } from 'ethers';

/** A wallet that signs, the same for the same name in every run. Its key is public knowledge: never send money there. */
export function testWallet(name: string | number): Wallet {
  return new Wallet(`0x${createHash('sha256').update(`test wallet ${name}`).digest('hex')}`);
}

/** `testWallet(0)` to `testWallet(count - 1)`. */
export function testWallets(count: number): Wallet[] {
  return Array.from({ length: count }, (_, index) => testWallet(index));
}
