/** The reason codes that facilitators publish (x402 versions 1 and 2, scheme `exact` on EVM chains), and what each means to us. */
import type { SettleResult, VerifyResult } from '../../../src/ports/facilitator';

const TOO_LITTLE_MONEY = /(^|_)insufficient_(funds|balance)$/;
const NONCE_SPENT = /(^|_)nonce_already_used$|^authorization_(already_)?used$/;

/** Faults of the facilitator or of its node: they say nothing about the payment. */
const OWN_FAULT = /^unexpected_(verify|settle)_error$|_rpc_read_failed$|_state_unavailable$/;

/**
 * Said after a transaction may have been sent: it is pending, or it failed in a way that leaves open whether the
 * authorization was used (a front-run makes the facilitator's own transaction revert).
 */
const AFTER_SENDING =
  /^settlement_pending$|^duplicate_settlement$|^invalid_transaction_state$|_transaction_failed$|_transaction_confirmation_timed_out$|_transfer_event_mismatch$/;

/** Said before anything is sent. Codes outside this list are not trusted to mean that. */
const BEFORE_SENDING = new Set([
  'invalid_network',
  'invalid_payload',
  'invalid_payment',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'payment_expired',
  'unsupported_scheme',
  'unsupported_payload_type',
  'unsupported_network',
  'asset_not_deployed_contract',
]);
const OF_THE_SCHEME = /^(invalid_)?(exact_evm|permit2|erc20_approval|eip2612)_/;

/** What `isValid: false` with this `invalidReason` means. */
export function verifyRefusal(reason: string): VerifyResult {
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  if (NONCE_SPENT.test(reason) || AFTER_SENDING.test(reason)) return { status: 'spent', reason };
  if (OWN_FAULT.test(reason)) return { status: 'unavailable', reason };
  return { status: 'invalid', reason };
}

/** What `success: false` with this `errorReason` means; `transaction` is the hash that came with it, or ''. */
export function settleRefusal(reason: string, transaction: string): SettleResult {
  if (AFTER_SENDING.test(reason) || OWN_FAULT.test(reason)) return { status: 'unknown', reason };
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  if (NONCE_SPENT.test(reason)) return { status: 'spent', reason };
  const beforeSending = BEFORE_SENDING.has(reason) || OF_THE_SCHEME.test(reason);
  return { status: beforeSending && transaction === '' ? 'invalid' : 'unknown', reason };
}
