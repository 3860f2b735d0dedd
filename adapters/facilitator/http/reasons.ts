/** The reason codes that facilitators publish (x402 versions 1 and 2, scheme `exact` on EVM chains), and what each means to us. */
import type { SettleResult, VerifyResult } from '../../../src/ports/facilitator';

const TOO_LITTLE_MONEY = /(^|_)insufficient_(funds|balance)$/;
const NONCE_SPENT = /(^|_)nonce_already_used$|^authorization_(already_)?used$/;

/** Faults of the facilitator or of its node: they say nothing about the payment. */
const OWN_FAULT = /^unexpected_(verify|settle)_error$|_rpc_read_failed$|_state_unavailable$/;
/** Gas is the facilitator's to pay, and so is what its own wallets lack. */
const OWN_WALLET = /(^|_)(gas|native|facilitator|settler|relayer|sponsor|operator)(_|$)/;

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

/** What `isValid: false` with this `invalidReason` means. */
export function verifyRefusal(reason: string): VerifyResult {
  if (isOwnFault(reason)) return { status: 'unavailable', reason };
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  if (NONCE_SPENT.test(reason) || AFTER_SENDING.test(reason)) return { status: 'spent', reason };
  return { status: 'invalid', reason };
}

/** What `success: false` with this `errorReason` means; `transaction` is the hash that came with it, or ''. */
export function settleRefusal(reason: string, transaction: string): SettleResult {
  if (NONCE_SPENT.test(reason)) return { status: 'spent', reason };
  // Where a transaction was sent, no reason is the last word: it may be mined yet.
  if (transaction !== '' || AFTER_SENDING.test(reason) || isOwnFault(reason))
    return { status: 'unknown', reason };
  if (TOO_LITTLE_MONEY.test(reason)) return { status: 'insufficient_funds' };
  return { status: BEFORE_SENDING.has(reason) ? 'invalid' : 'unknown', reason };
}

function isOwnFault(reason: string): boolean {
  return OWN_FAULT.test(reason) || OWN_WALLET.test(reason);
}
