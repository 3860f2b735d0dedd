/**
 * The reason codes that facilitators publish (x402 versions 1 and 2, scheme `exact` on EVM chains), with the
 * result for each code.
 */
import type { SettleResult, VerifyResult } from '../../../src/ports/facilitator';

const TOO_LITTLE_MONEY = /(^|_)insufficient_(funds|balance)$/;
const NONCE_SPENT = /(^|_)nonce_already_used$|^authorization_(already_)?used$/;

/** Codes for failures of the facilitator or of its node. Such codes say nothing about the payment. */
const OWN_FAILURE = /^unexpected_(verify|settle)_error$|_rpc_read_failed$|_state_unavailable$/;
/** Codes that name gas or a wallet of the facilitator. Such codes say nothing about the payment. */
const OWN_WALLET = /(^|_)(gas|native|facilitator|settler|relayer|sponsor|operator)(_|$)/;

/**
 * Codes that a facilitator may answer after it has sent a transaction. The transaction is pending or has
 * failed. Even if it has failed, the authorization may be used: when a stranger submits the authorization
 * first, the facilitator's own transaction reverts.
 */
const AFTER_SENDING =
  /^settlement_pending$|^duplicate_settlement$|^invalid_transaction_state$|_transaction_failed$|_transaction_confirmation_timed_out$|_transfer_event_mismatch$/;

/**
 * Codes that a facilitator answers before it sends a transaction. Only these codes, and those that
 * `TOO_LITTLE_MONEY` matches, prove that nothing was sent.
 */
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
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_failed_to_parse_signature',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_transaction_simulation_failed',
]);

const EXPIRED = new Set(['payment_expired', 'invalid_exact_evm_payload_authorization_valid_before']);

/**
 * The result of a settlement that was requested after the window of the authorization. Facilitators check the
 * window before they ask the token. So a refusal as expired becomes `unknown`: an earlier request may have
 * settled the authorization.
 */
export function afterWindow(result: SettleResult): SettleResult {
  return result.status === 'invalid' && EXPIRED.has(result.reason)
    ? { ...result, status: 'unknown' }
    : result;
}

/** The result for `isValid: false` with this `invalidReason`. */
export function verifyResultOfReason(reason: string): VerifyResult {
  if (isOwnFailure(reason)) return { status: 'unavailable', reason };
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  if (NONCE_SPENT.test(reason) || AFTER_SENDING.test(reason)) return { status: 'spent', reason };
  return { status: 'invalid', reason };
}

/** The result for `success: false` with this `errorReason`. `transaction` is the hash in the same answer, or ''. */
export function settleResultOfReason(reason: string, transaction: string): SettleResult {
  if (NONCE_SPENT.test(reason)) return { status: 'spent', reason };
  // The payment may still be settled: a transaction that was sent can be mined later, and a failure of the
  // facilitator says nothing about the payment.
  if (transaction !== '' || AFTER_SENDING.test(reason) || isOwnFailure(reason))
    return { status: 'unknown', reason };
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  return { status: BEFORE_SENDING.has(reason) ? 'invalid' : 'unknown', reason };
}

function isOwnFailure(reason: string): boolean {
  return OWN_FAILURE.test(reason) || OWN_WALLET.test(reason);
}
