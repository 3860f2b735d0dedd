/**
 * Bytes to hex and back. ethers takes bytes only of the global `Uint8Array`. Under a test environment such as jsdom
 * that is another class than the one a `Buffer` extends, so ethers gets and gives hex here, never bytes.
 */

/** Hex with `0x`. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The bytes of well-formed hex with `0x`. */
export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
