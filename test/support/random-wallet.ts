import { randomBytes } from 'node:crypto';
import { getAddress, Wallet } from 'ethers';

/** Takes less time than `Wallet.createRandom()`, which derives the key from a mnemonic. */
export const randomWallet = (): Wallet => new Wallet(`0x${randomBytes(32).toString('hex')}`);

/** An address with capital letters of EIP-55, for which no test has a key. */
export const randomAddress = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);
