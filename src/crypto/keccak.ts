/**
 * Keccak-256, as Ethereum uses it. Native code (the binding of the optional package `keccak`) computes it if it
 * can be loaded. Otherwise JavaScript (ethers) does. Both give the same results.
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

/** The native sponge. It absorbs bytes and gives their hash. `initialize` resets it. */
interface Sponge {
  initialize(rate: number, capacity: number): void;
  absorb(data: Buffer): void;
  squeeze(length: number): Buffer;
}

/** The part of the binding that we use. `_state` is no documented part of the package, so it may be missing. */
type Binding = (algorithm: 'keccak256') => {
  update(data: Buffer): { digest(): Buffer };
  _state?: Partial<Sponge>;
};

/**
 * We load the binding itself, which throws when it cannot be loaded. The package's main module would use its own
 * JavaScript instead, without an error.
 */
const NATIVE_BINDING = 'keccak/bindings';
/** The rate and the capacity of Keccak-256, in bits. */
const RATE = 1088;
const CAPACITY = 512;
const HASH_BYTES = 32;
const HASH_OF_NOTHING = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const HASH_OF_ABC = '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45';

/** Chooses native code or JavaScript. Never throws. */
export function loadKeccak(load: (name: string) => unknown = requireHere): Keccak {
  try {
    const binding = load(NATIVE_BINDING) as Binding;
    const found = [oneSponge(binding), newObjects(binding)].find((hash) => hash !== null && isRight(hash));
    if (found) return { implementation: 'native', keccak256: found };
  } catch {
    // The binding is not installed, or was built for another machine.
  }
  return { implementation: 'pure', keccak256: keccak256Pure };
}

/**
 * Compares the hashes of known texts. A binding that was built for another machine may load and give wrong
 * results.
 */
function isRight(hash: Keccak256): boolean {
  const isHash = (text: string, expected: string): boolean =>
    hash(Buffer.from(text)).toString('hex') === expected;
  try {
    // The empty text is hashed twice, because a sponge that is not reset gives only one right hash.
    return isHash('', HASH_OF_NOTHING) && isHash('abc', HASH_OF_ABC) && isHash('', HASH_OF_NOTHING);
  } catch {
    return false;
  }
}

/**
 * Uses one sponge for all hashes, so that the package does not make a new object for each hash. `null` when the
 * binding has no `_state`.
 */
function oneSponge(binding: Binding): Keccak256 | null {
  const sponge = binding('keccak256')._state as Sponge | undefined;
  if (sponge === undefined) return null;
  return (data) => {
    // The sponge is reset before each hash, so that a call that has thrown leaves no state in it.
    sponge.initialize(RATE, CAPACITY);
    sponge.absorb(bufferOf(data));
    return sponge.squeeze(HASH_BYTES);
  };
}

function newObjects(binding: Binding): Keccak256 {
  return (data) => binding('keccak256').update(bufferOf(data)).digest();
}

function bufferOf(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

let chosen: Keccak | null = null;

export function keccak256(data: Uint8Array): Buffer {
  return (chosen ??= loadKeccak()).keccak256(data);
}
