/**
 * Who signed: EIP-191 `personal_sign` texts and EIP-712 transfer authorizations. Signatures come as 65 bytes in
 * hex with `0x`, v of 0, 1, 27 or 28, and low s (EIP-2); any other form is refused rather than normalised, so
 * that one authorization has one signature.
 */
import { getBytes, hashMessage, keccak256, TypedDataEncoder, type TypedDataDomain } from 'ethers';
import type { Address } from '../domain/types';
import { activeCurve, type RecoverPublicKey } from './curve';

const SIGNATURE = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(00|01|1[bB]|1[cC])$/;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF_CURVE_ORDER = CURVE_ORDER / 2n;

export interface ParsedSignature {
  /** r and s, 32 bytes each. */
  compact: Uint8Array;
  recoveryBit: 0 | 1;
  /** 0x-hex of r, s and v, the latter as 27 or 28. */
  normalized: string;
}

/** `null` unless the text has the one accepted form, with r and s in range. */
export function parseSignature(text: unknown): ParsedSignature | null {
  const match = typeof text === 'string' ? SIGNATURE.exec(text) : null;
  if (match === null) return null;
  const [, r = '', s = '', v = ''] = match;
  if (!within(r, CURVE_ORDER - 1n) || !within(s, HALF_CURVE_ORDER)) return null;
  const recoveryBit = /^(?:00|1b)$/i.test(v) ? 0 : 1;
  const normalized = `0x${r}${s}${recoveryBit === 0 ? '1b' : '1c'}`.toLowerCase();
  return { compact: getBytes(`0x${r}${s}`), recoveryBit, normalized };
}

function within(hex: string, highest: bigint): boolean {
  const value = BigInt(`0x${hex}`);
  return value >= 1n && value <= highest;
}

/** An EIP-3009 `transferWithAuthorization`: addresses and bytes in 0x-hex, integers as decimal text. */
export interface TransferAuthorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

/** EIP-712 domain of the token contract. */
export type TokenDomain = Required<
  Pick<TypedDataDomain, 'name' | 'version' | 'chainId' | 'verifyingContract'>
>;

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export interface SignerRecovery {
  /** Signer of an EIP-191 text; `null` when the signature is malformed or belongs to nobody. */
  recoverPersonalSigner(message: string, signature: string): Address | null;
  /** Signer of an EIP-3009 authorization under EIP-712; `null` also when a field of it is malformed. */
  recoverTransferSigner(
    authorization: TransferAuthorization,
    domain: TokenDomain,
    signature: string,
  ): Address | null;
}

export function createSignerRecovery(recoverPublicKey: RecoverPublicKey): SignerRecovery {
  const recover = (signature: string, digest: () => string): Address | null => {
    const parsed = parseSignature(signature);
    if (parsed === null) return null;
    const hash = attempt(digest);
    if (hash === null) return null;
    const publicKey = recoverPublicKey(getBytes(hash), parsed.compact, parsed.recoveryBit);
    return publicKey === null ? null : addressOf(publicKey);
  };
  return {
    recoverPersonalSigner: (message, signature) => recover(signature, () => hashMessage(message)),
    recoverTransferSigner: (authorization, domain, signature) =>
      recover(signature, () => transferDigest(authorization, domain)),
  };
}

/** The last 20 bytes of the key's hash, its leading format byte aside. */
function addressOf(publicKey: Uint8Array): Address {
  return `0x${keccak256(publicKey.subarray(1)).slice(-40)}`;
}

function transferDigest(authorization: TransferAuthorization, domain: TokenDomain): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const fields = { from, to, value, validAfter, validBefore, nonce };
  return TypedDataEncoder.hash(domain, TRANSFER_TYPES, fields);
}

/** A text with lone surrogates or a field that does not encode has no digest. */
function attempt(digest: () => string): string | null {
  try {
    return digest();
  } catch {
    return null;
  }
}

export const { recoverPersonalSigner, recoverTransferSigner } = createSignerRecovery((...signed) =>
  activeCurve().recoverPublicKey(...signed),
);
