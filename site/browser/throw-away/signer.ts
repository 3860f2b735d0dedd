/**
 * The address and the signatures of a wallet whose secret is in this page. Loaded on demand, because it contains the
 * cryptography.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { PaymentSigner, TypedData } from '../../../src/client';

export function newSecret(): string {
  return `0x${bytesToHex(secp256k1.utils.randomSecretKey())}`;
}

export function signerOfSecret(secret: string): PaymentSigner & { address: string } {
  const key = hexToBytes(secret.slice(2));
  return {
    address: addressOfKey(key),
    signMessage: async (text) => sign(key, messageHash(text)),
    signPayment: async (data) => sign(key, typedDataHash(data)),
  };
}

function addressOfKey(key: Uint8Array): string {
  // The first byte of a public key only says that the key is not compressed.
  const hash = keccak_256(secp256k1.getPublicKey(key, false).subarray(1));
  return withChecksum(bytesToHex(hash.subarray(-20)));
}

/** The capital letters of an address are its checksum (EIP-55). */
function withChecksum(hex: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const letters = [...hex].map((letter, index) =>
    Number.parseInt(hash[index] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${letters.join('')}`;
}

function sign(key: Uint8Array, hash: Uint8Array): string {
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  const [recovery = 0] = signature;
  return `0x${bytesToHex(signature.subarray(1))}${(27 + recovery).toString(16)}`;
}

function messageHash(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
}

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

type Fields = TypedData['types'][string];

/** The hash of EIP-712, for the plain types that payments have. */
function typedDataHash({ domain, types, primaryType, message }: TypedData): Uint8Array {
  const fields = types[primaryType];
  if (fields === undefined) throw new TypeError(`the typed data lack the type ${primaryType}`);
  const domainHash = structHash('EIP712Domain', DOMAIN, { ...domain, chainId: String(domain.chainId) });
  return keccak_256(
    concatBytes(new Uint8Array([0x19, 0x01]), domainHash, structHash(primaryType, fields, message)),
  );
}

function structHash(name: string, fields: Fields, values: Record<string, string>): Uint8Array {
  const type = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
  const words = fields.map((field) => word(field.type, values[field.name] ?? ''));
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(type)), ...words));
}

function word(type: string, value: string): Uint8Array {
  if (type === 'string') return keccak_256(utf8ToBytes(value));
  const isHex = type === 'address' || type === 'bytes32';
  if (!isHex && type !== 'uint256') throw new TypeError(`cannot sign the type ${type}`);
  return hexToBytes(BigInt(value).toString(16).padStart(64, '0'));
}
