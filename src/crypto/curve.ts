/**
 * Recovers the public key that made a signature. Native code (the binding of the optional package `secp256k1`)
 * does this if it can be loaded. Otherwise JavaScript (ethers) does. Both give the same results.
 */
import { SigningKey } from 'ethers';
import { bytesOf, hexOf } from './hex';
import { requireHere } from './require-here';

/**
 * The public key (65 bytes, uncompressed) that signed a 32-byte digest. `null` when no key can have signed it.
 * `compact` is r and s, 32 bytes each. r and s have passed `parseSignature`, because implementations differ for
 * values out of range.
 */
export type RecoverPublicKey = (
  digest: Uint8Array,
  compact: Uint8Array,
  recoveryBit: 0 | 1,
) => Uint8Array | null;

export interface Curve {
  implementation: 'native' | 'pure';
  recoverPublicKey: RecoverPublicKey;
  /** Why native code is not in use. `null` when native code is in use. */
  fallbackReason: string | null;
}

export const recoverPublicKeyPure: RecoverPublicKey = (digest, compact, recoveryBit) => {
  const signature = {
    r: hexOf(compact.subarray(0, 32)),
    s: hexOf(compact.subarray(32)),
    v: 27 + recoveryBit,
  };
  try {
    return bytesOf(
      SigningKey.recoverPublicKey(hexOf(digest), signature as { r: string; s: string; v: 27 | 28 }),
    );
  } catch {
    // About half of all values of r in range belong to no point of the curve.
    return null;
  }
};

/** The part of the binding that we use. Its function throws when no key can have signed. */
interface Binding {
  ecdsaRecover(
    compact: Uint8Array,
    recoveryBit: number,
    digest: Uint8Array,
    isCompressed: boolean,
    output: Uint8Array,
  ): Uint8Array;
}

const PUBLIC_KEY_BYTES = 65;

/**
 * We load the binding itself, which throws when it cannot be loaded. The package's main module would use its own
 * JavaScript instead, without an error.
 */
const NATIVE_BINDING = 'secp256k1/bindings';

/** Chooses native code or JavaScript. Never throws. */
export function loadCurve(load: (name: string) => unknown = requireHere): Curve {
  try {
    const recoverPublicKey = recoverWith(load(NATIVE_BINDING) as Binding);
    if (!recoversKnownKey(recoverPublicKey)) throw new Error('it does not recover a known key');
    return { implementation: 'native', recoverPublicKey, fallbackReason: null };
  } catch (error) {
    const fallbackReason = error instanceof Error ? error.message : String(error);
    return { implementation: 'pure', recoverPublicKey: recoverPublicKeyPure, fallbackReason };
  }
}

function recoverWith(binding: Binding): RecoverPublicKey {
  return (digest, compact, recoveryBit) => {
    try {
      return binding.ecdsaRecover(compact, recoveryBit, digest, false, Buffer.allocUnsafe(PUBLIC_KEY_BYTES));
    } catch {
      return null;
    }
  };
}

/** A test vector: r is the x coordinate of the generator, and s and the digest are repeated bytes. */
const KNOWN_COMPACT = `0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${'22'.repeat(32)}`;
const KNOWN_KEY =
  '0x04' +
  '02043ab9b60477648995448c7dd5cdc27fea690505765fdc4e9e449446aa949a' +
  '81c6ecdcd146cca008aa55788c6b6ba8591a74dbbfb8cead89406a0a38b66d07';

/**
 * Whether the binding gives the right key. A binding that was built for another machine may load and give wrong
 * results.
 */
function recoversKnownKey(recoverPublicKey: RecoverPublicKey): boolean {
  const key = recoverPublicKey(Buffer.alloc(32, 0x11), bytesOf(KNOWN_COMPACT), 0);
  return key !== null && hexOf(key) === KNOWN_KEY;
}

let chosen: Curve | null = null;

/** The implementation that this process uses. It is loaded at the first call. */
export function activeCurve(): Curve {
  return (chosen ??= loadCurve());
}
