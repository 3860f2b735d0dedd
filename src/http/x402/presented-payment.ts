/**
 * Reads a payment from the request headers, in one of three forms (docs/specification.md "Payment forms"). The
 * flat form and version 1 of x402 use `X-PAYMENT`, and version 2 uses `PAYMENT-SIGNATURE`. Version 2 is also
 * accepted in `X-PAYMENT`. Each header is base64 of JSON.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config';
import { parseAddress } from '../../crypto/address';
import type { Payment, PaymentAuthorization, PaymentRequirements } from '../../ports/facilitator';
import { invalidPayment } from '../../usecases/payments/payment-errors';
import { networkName } from '../../domain/x402-networks';

type Fields = Record<string, unknown>;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** A decimal integer without leading zeros. The largest integer, 2^256 - 1, has 78 digits. */
const INTEGER = /^(?:0|[1-9]\d{0,77})$/;
const LARGEST_UINT256 = 2n ** 256n - 1n;
const LONGEST_UINT256 = String(LARGEST_UINT256).length;
const BYTES32 = /^0x[0-9a-fA-F]{64}$/;
const HEX = /^0x[0-9a-fA-F]*$/;

/**
 * The payment, and the terms that its payer accepted. Only version 2 names accepted terms; in other forms they
 * are empty.
 */
export interface PresentedPayment {
  payment: Payment;
  accepted: Fields;
}

export function presentsPayment(headers: IncomingHttpHeaders): boolean {
  return single(headers['payment-signature']) !== null || single(headers['x-payment']) !== null;
}

/** Throws PAYMENT_INVALID. Addresses and nonce of the result are in lower case. */
export function readPayment(headers: IncomingHttpHeaders, config: Config): PresentedPayment {
  const signature = single(headers['payment-signature']);
  const payment = single(headers['x-payment']);
  if (signature !== null && payment !== null) {
    throw invalidPayment('Send PAYMENT-SIGNATURE or X-PAYMENT, not both');
  }
  const text = signature ?? payment;
  if (text === null) throw invalidPayment('No payment was sent');
  const fields = decode(text);
  if (signature !== null || fields['x402Version'] === 2) return versionTwo(fields, config);
  const isStandard = 'x402Version' in fields || 'payload' in fields;
  return { payment: isStandard ? versionOne(fields, config) : flat(fields, config), accepted: {} };
}

/**
 * What is wrong with the accepted terms: the text names the first term that differs from the requirements.
 * `null` if no term differs. A missing term counts as equal.
 */
export function termProblem(accepted: Fields, { amount, asset, payTo }: PaymentRequirements): string | null {
  const asked = Object.entries({ amount, asset, payTo });
  const other = asked.find(([name, term]) => name in accepted && !isSameTerm(accepted[name], term));
  return other === undefined ? null : `accepted.${other[0]} of the payment must be ${other[1]}`;
}

function isSameTerm(value: unknown, term: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === term.toLowerCase();
}

/**
 * The value of a header that may come once. An empty header counts as missing. The values of a repeated header
 * are joined by a comma, which no form allows.
 */
function single(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined || text === '' ? null : text;
}

function decode(text: string): Fields {
  if (!BASE64.test(text)) throw invalidPayment('The payment header is not base64');
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return fieldsOf(decoded, 'The payment');
  } catch {
    throw invalidPayment('The payment header does not hold a JSON object');
  }
}

function versionTwo(fields: Fields, { network }: Config): PresentedPayment {
  if (fields['x402Version'] !== 2) throw invalidPayment('PAYMENT-SIGNATURE takes x402 version 2');
  const accepted = fieldsOf(fields['accepted'], 'accepted');
  requireEqual(accepted['scheme'], ['exact'], 'accepted.scheme');
  requireEqual(accepted['network'], [network], 'accepted.network');
  return { payment: { form: 'v2', authorization: nestedAuthorization(fields['payload']) }, accepted };
}

function versionOne(fields: Fields, { network }: Config): Payment {
  requireEqual(fields['x402Version'], [1], 'x402Version');
  requireEqual(fields['scheme'], ['exact'], 'scheme');
  requireEqual(fields['network'], [networkName(network), network], 'network');
  return { form: 'v1', authorization: nestedAuthorization(fields['payload']) };
}

function flat(fields: Fields, { network }: Config): Payment {
  requireEqual(fields['network'], [network], 'network');
  requireEqual(fields['currency'], ['USDC'], 'currency');
  return { form: 'flat', authorization: authorizationOf(fields, fields['signature']) };
}

function nestedAuthorization(value: unknown): PaymentAuthorization {
  const payload = fieldsOf(value, 'payload');
  return authorizationOf(fieldsOf(payload['authorization'], 'payload.authorization'), payload['signature']);
}

function authorizationOf(fields: Fields, signature: unknown): PaymentAuthorization {
  return {
    from: address(fields, 'from'),
    to: address(fields, 'to'),
    value: integer(fields, 'value', 'a decimal integer as text'),
    validAfter: integer(fields, 'validAfter', 'unix seconds as decimal text'),
    validBefore: integer(fields, 'validBefore', 'unix seconds as decimal text'),
    nonce: matching(fields, 'nonce', BYTES32, '0x and 64 hex digits').toLowerCase(),
    signature: matching({ signature }, 'signature', HEX, 'hex with 0x'),
  };
}

function address(fields: Fields, name: string): string {
  const parsed = parseAddress(fields[name]);
  if (parsed === null) throw invalidPayment(`${name} of the payment must be an EVM address`);
  return parsed;
}

function integer(fields: Fields, name: string, what: string): string {
  const text = matching(fields, name, INTEGER, what);
  if (text.length === LONGEST_UINT256 && BigInt(text) > LARGEST_UINT256)
    throw invalidPayment(`${name} of the payment must fit 256 bits`);
  return text;
}

function matching(fields: Fields, name: string, pattern: RegExp, what: string): string {
  const value = fields[name];
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw invalidPayment(`${name} of the payment must be ${what}`);
}

function requireEqual(value: unknown, expected: readonly unknown[], name: string): void {
  if (!expected.includes(value))
    throw invalidPayment(`${name} of the payment must be ${expected.join(' or ')}`);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalidPayment(`${name} of the payment must be an object`);
}
