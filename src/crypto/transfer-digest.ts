/**
 * EIP-712 digests of EIP-3009 transfer authorizations. For speed, the authorizations are not encoded by the general
 * encoder of ethers.
 */
import { TypedDataEncoder, type TypedDataDomain } from 'ethers';
import { parseAddress } from './address';
import { bytesOf } from './hex';
import { keccak256 } from './keccak';

/** An EIP-3009 `transferWithAuthorization`: addresses and bytes as 0x-hex, integers as decimal texts. */
export interface TransferAuthorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

export type TokenDomain = Required<
  Pick<TypedDataDomain, 'name' | 'version' | 'chainId' | 'verifyingContract'>
>;

const TYPE =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';
const TYPE_HASH = keccak256(Buffer.from(TYPE));
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const PREFIX = Buffer.from([0x19, 0x01]);

/** The digest in 32 bytes. `null` when a field cannot be encoded. */
export function transferDigest(authorization: TransferAuthorization, domain: TokenDomain): Uint8Array | null {
  const separator = domainSeparator(domain);
  const message = separator === null ? null : encodeTransfer(authorization);
  if (separator === null || message === null) return null;
  return keccak256(Buffer.concat([PREFIX, separator, keccak256(message)]));
}

function encodeTransfer(authorization: TransferAuthorization): Buffer | null {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  // Unlike `alloc`, `allocUnsafe` takes small buffers from Node's pool, which is faster.
  const words = Buffer.allocUnsafe(7 * WORD_BYTES).fill(0);
  words.set(TYPE_HASH);
  const isWritten =
    writeAddress(words, 1, from) &&
    writeAddress(words, 2, to) &&
    writeInteger(words, 3, value) &&
    writeInteger(words, 4, validAfter) &&
    writeInteger(words, 5, validBefore) &&
    writeBytes32(words, 6, nonce);
  return isWritten ? words : null;
}

function writeAddress(words: Buffer, index: number, text: string): boolean {
  if (parseAddress(text) === null) return false;
  words.write(text.slice(2), (index + 1) * WORD_BYTES - ADDRESS_BYTES, 'hex');
  return true;
}

const INTEGER = /^\d{1,78}$/;
const SHORT_INTEGER_DIGITS = 14;

function writeInteger(words: Buffer, index: number, text: string): boolean {
  if (typeof text !== 'string' || !INTEGER.test(text)) return false;
  const end = (index + 1) * WORD_BYTES;
  // A number of at most 14 digits fits into the 6 bytes that `writeUIntBE` writes.
  if (text.length <= SHORT_INTEGER_DIGITS) {
    words.writeUIntBE(Number(text), end - 6, 6);
    return true;
  }
  const hex = BigInt(text).toString(16);
  if (hex.length > 2 * WORD_BYTES) return false;
  words.write(hex.padStart(2 * WORD_BYTES, '0'), end - WORD_BYTES, 'hex');
  return true;
}

const BYTES32 = /^0x[0-9a-fA-F]{64}$/;

function writeBytes32(words: Buffer, index: number, text: string): boolean {
  if (typeof text !== 'string' || !BYTES32.test(text)) return false;
  words.write(text.slice(2), index * WORD_BYTES, 'hex');
  return true;
}

/** The last separator is cached, because a service has one token. */
let known: { domain: TokenDomain; separator: Uint8Array | null } | null = null;

function domainSeparator(domain: TokenDomain): Uint8Array | null {
  if (known === null || !isSameDomain(known.domain, domain)) {
    known = { domain: { ...domain }, separator: hashDomain(domain) };
  }
  return known.separator;
}

function isSameDomain(a: TokenDomain, b: TokenDomain): boolean {
  return (
    a.name === b.name &&
    a.version === b.version &&
    a.chainId === b.chainId &&
    a.verifyingContract === b.verifyingContract
  );
}

function hashDomain({ name, version, chainId, verifyingContract }: TokenDomain): Uint8Array | null {
  try {
    return bytesOf(TypedDataEncoder.hashDomain({ name, version, chainId, verifyingContract }));
  } catch {
    return null;
  }
}
