/**
 * The format of API keys (docs/specification.md "Key format"): `pmk_`, 30 random base62 characters, and their
 * CRC32 (IEEE 802.3) in base62, padded to 6 characters. The checksum lets the service refuse a mistyped key
 * without a look-up, and scanners recognise a leaked key by it.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../ports/random';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'pmk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = MARK.length + 4;
const FORM = new RegExp(`^${MARK}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
/**
 * 248 is the largest multiple of 62 within a byte. A random byte of 248 or more is drawn again, because it would
 * favour the first characters.
 */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);

export function generateApiKey(random: Random): string {
  const body = randomBase62(random, RANDOM_LENGTH);
  return `${MARK}${body}${checksumOf(body)}`;
}

export function isWellFormedApiKey(text: string): boolean {
  const match = FORM.exec(text);
  if (match === null) return false;
  const [, body = '', checksum = ''] = match;
  return checksumOf(body) === checksum;
}

/** The SHA-256 of the whole key as 64 lower-case hex digits. */
export function hashApiKey(rawKey: string): string {
  return hash('sha256', rawKey, 'hex');
}

/**
 * The part of a key that lists show: the mark, four characters and an ellipsis (U+2026), as in `pmk_AbCd…`. It
 * is not secret.
 */
export function apiKeyPrefix(rawKey: string): string {
  return `${rawKey.slice(0, SHOWN_LENGTH)}…`;
}

/** A non-negative integer in base62 (0-9A-Za-z, most significant digit first), padded with zeros. */
export function base62(value: number, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / ALPHABET.length)) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return digits.padStart(length, '0');
}

/** Six characters always suffice: the largest CRC32 is 4gfFC3 in base62. */
function checksumOf(body: string): string {
  return base62(crc32(body), CHECKSUM_LENGTH);
}

function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < UNBIASED_LIMIT && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
