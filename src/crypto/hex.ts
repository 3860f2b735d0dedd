/**
 * Bytes to hex and back. ethers accepts only bytes of the global `Uint8Array`, and in a test environment such
 * as jsdom a `Buffer` extends a different `Uint8Array`. So this library passes hex to ethers and gets hex
 * back, never bytes.
 */

export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
