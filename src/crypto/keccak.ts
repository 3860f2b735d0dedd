/**
 * Keccak-256, as Ethereum uses it. A paid request computes it several times. Native code (the binding of the
 * optional package `keccak`) does this if it can be loaded. Otherwise JavaScript (ethers) does. Both give the
 * same results.
 */
import { keccak256 as keccak256InJavaScript } from 'ethers';
import { bytesOf, hexOf } from './hex';
import { requireHere } from './require-here';

/** The hash has 32 bytes. */
export type Keccak256 = (data: Uint8Array) => Buffer;

export interface Keccak {
  implementation: 'native' | 'pure';
  keccak256: Keccak256;
}

export const keccak256Pure: Keccak256 = (data) => bytesOf(keccak256InJavaScript(hexOf(data)));

/** The part of the binding that we use. */
type Binding = (algorithm: 'keccak256') => { update(data: Buffer): { digest(): Buffer } };

/**
 * We load the binding itself, which throws when it cannot be loaded. The package's main module would silently
 * use its own JavaScript instead.
 */
const NATIVE_BINDING = 'keccak/bindings';
const HASH_OF_NOTHING = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** Chooses native code or JavaScript. Never throws. */
export function loadKeccak(load: (name: string) => unknown = requireHere): Keccak {
  try {
    const keccak256 = hashWith(load(NATIVE_BINDING) as Binding);
    // A binding that was built for another machine may load and give wrong results.
    if (keccak256(Buffer.alloc(0)).toString('hex') !== HASH_OF_NOTHING) throw new Error('a wrong hash');
    return { implementation: 'native', keccak256 };
  } catch {
    return { implementation: 'pure', keccak256: keccak256Pure };
  }
}

function hashWith(binding: Binding): Keccak256 {
  return (data) =>
    binding('keccak256')
      .update(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
      .digest();
}

let chosen: Keccak | null = null;

export function keccak256(data: Uint8Array): Buffer {
  return (chosen ??= loadKeccak()).keccak256(data);
}
