/**
 * Finds the signer of EIP-191 `personal_sign` texts and of EIP-712 transfer authorizations. A signature is 65
 * bytes in hex with `0x`, v of 0, 1, 27 or 28, and low s (EIP-2). Every other form is refused.
 */
import { hashMessage } from 'ethers';
import type { Address } from '../domain/types';
import { activeCurve, type RecoverPublicKey } from './curve';
import { bytesOf } from './hex';
import { keccak256 } from './keccak';
import { transferDigest, type TokenDomain, type TransferAuthorization } from './transfer-digest';

const SIGNATURE = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(00|01|1[bB]|1[cC])$/;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ZERO = '0'.repeat(64);
const HIGHEST_R = (CURVE_ORDER - 1n).toString(16);
const HIGHEST_S = (CURVE_ORDER / 2n).toString(16);

export interface ParsedSignature {
  /** r and s, 32 bytes each. */
  compact: Uint8Array;
  recoveryBit: 0 | 1;
  /** r, s and v as 0x-hex, with v as 27 or 28. */
  normalized: string;
}

/**
 * Reads a signature. `null` if the text does not have the form that the top of this file describes, or if r
 * or s is out of range.
 */
export function parseSignature(text: unknown): ParsedSignature | null {
  const match = typeof text === 'string' ? SIGNATURE.exec(text) : null;
  if (match === null) return null;
  const [r = '', s = '', v = ''] = match.slice(1).map((part) => part.toLowerCase());
  if (!within(r, HIGHEST_R) || !within(s, HIGHEST_S)) return null;
  const recoveryBit = v === '00' || v === '1b' ? 0 : 1;
  const normalized = `0x${r}${s}${recoveryBit === 0 ? '1b' : '1c'}`;
  return { compact: Buffer.from(r + s, 'hex'), recoveryBit, normalized };
}

/**
 * Whether a hex number is from 1 to `highest`. Lower-case hex texts of equal length compare like their
 * numbers.
 */
function within(hex: string, highest: string): boolean {
  return hex > ZERO && hex <= highest;
}

export interface SignerRecovery {
  /**
   * The signer of an EIP-191 text. `null` when the signature is malformed, when no key can have made it, or when the
   * text has lone surrogates.
   */
  recoverPersonalSigner(message: string, signature: string): Address | null;
  /**
   * The signer of an EIP-3009 authorization under EIP-712. `null` also when a field of the authorization or of the
   * domain is malformed.
   */
  recoverTransferSigner(
    authorization: TransferAuthorization,
    domain: TokenDomain,
    signature: string,
  ): Address | null;
}

export function createSignerRecovery(recoverPublicKey: RecoverPublicKey): SignerRecovery {
  const recover = (signature: string, digestOf: () => Uint8Array | null): Address | null => {
    const parsed = parseSignature(signature);
    const digest = parsed === null ? null : digestOf();
    if (parsed === null || digest === null) return null;
    const publicKey = recoverPublicKey(digest, parsed.compact, parsed.recoveryBit);
    return publicKey === null ? null : addressOf(publicKey);
  };
  return {
    recoverPersonalSigner: (message, signature) => recover(signature, () => personalDigest(message)),
    recoverTransferSigner: (authorization, domain, signature) =>
      recover(signature, () => transferDigest(authorization, domain)),
  };
}

/** The address of a public key: the last 20 bytes of the hash of the key without its leading format byte. */
function addressOf(publicKey: Uint8Array): Address {
  return `0x${keccak256(publicKey.subarray(1)).toString('hex', 12)}`;
}

/** The digest of a text. `null` for a text with lone surrogates, which has no UTF-8 form. */
function personalDigest(message: string): Uint8Array | null {
  try {
    return bytesOf(hashMessage(message));
  } catch {
    return null;
  }
}

export const { recoverPersonalSigner, recoverTransferSigner } = createSignerRecovery((...signed) =>
  activeCurve().recoverPublicKey(...signed),
);
