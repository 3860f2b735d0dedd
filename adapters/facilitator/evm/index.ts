/** Settlement by this service: its own key submits the payer's EIP-3009 authorization to the token contract. */
import { Wallet } from 'ethers';
import { createAuthorizationLookup } from '../../shared/evm/authorization-lookup';
import { prepareTransaction } from '../../shared/evm/prepare-transaction';
import { chainIdOf, createRpc, errorText, type Rpc } from '../../shared/evm/rpc';
import { privateKey } from '../../shared/evm/transaction';
import { createTransactionSender } from '../../shared/evm/transaction-sender';
import type {
  Facilitator,
  PaymentAuthorization,
  PaymentRequirements,
  SettleResult,
  SupportedResult,
  VerifyResult,
} from '../../../src/ports/facilitator';
import {
  aClock,
  checkOptions,
  integerBetween,
  milliseconds,
  optional,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { systemClock, type Clock } from '../../../src/ports/clock';
import { withinTime } from '../../../src/ports/time-limit';
import { awaitedTimers } from '../../../src/ports/timers';
import {
  diagnoseRevert,
  submitPayment,
  settlementRefusal,
  transferCall,
  type SettlementTools,
} from './settlement';

export interface EvmFacilitatorOptions {
  /** The JSON-RPC address of a node of the payment network. */
  rpcUrl: string;
  /**
   * The private key of the settler, which pays for gas: 32 bytes, as 0x-hex. Use this key for nothing else:
   * other transactions of the same key delay settlements.
   */
  privateKey: string;
  /** How many blocks deep a settlement has to be before it counts. 1 trusts the newest block. Default 1. */
  confirmations?: number | undefined;
  /**
   * How long `settle` waits for the chain, in milliseconds. After that its result is `unknown`. Default 20,000.
   */
  timeoutMs?: number | undefined;
  /** After how many milliseconds a waiting transaction gets a better offer for gas. Default 15,000. */
  stuckAfterMs?: number | undefined;
  /**
   * The pause between two queries of the chain while a settlement is under way, in milliseconds. Default 500.
   */
  pollIntervalMs?: number | undefined;
  clock?: Clock | undefined;
}

export interface EvmFacilitator extends Facilitator {
  /** The address of the settler, which needs the chain's native coin. */
  readonly address: string;
  /** Stops watching the transactions that were sent. */
  close(): void;
}

const REQUEST_TIMEOUT_MS = 10_000;

const CHECKS: Checks<EvmFacilitatorOptions> = {
  rpcUrl: secretHttpAddress,
  privateKey,
  confirmations: optional(integerBetween(1, 10_000)),
  timeoutMs: optional(milliseconds),
  stuckAfterMs: optional(integerBetween(0, 86_400_000)),
  pollIntervalMs: optional(milliseconds),
  clock: optional(aClock),
};

/**
 * Settles payments by transactions of its own key, through a node of the chain. docs/money-in-and-out.md "Which
 * facilitator".
 * @throws TypeError naming the option that does not fit, without repeating the key. RangeError for a number out of its
 * range.
 */
export function evmFacilitator(options: EvmFacilitatorOptions): EvmFacilitator {
  checkOptions('evmFacilitator', options, CHECKS);
  const { confirmations = 1, timeoutMs = 20_000, clock = systemClock } = options;
  const wallet = new Wallet(options.privateKey);
  const rpc = createRpc({ url: options.rpcUrl, timeoutMs: Math.min(REQUEST_TIMEOUT_MS, timeoutMs) });
  const onChain = createAuthorizationLookup({ rpc, confirmations, settler: wallet.address });
  const sender = createTransactionSender({
    rpc,
    wallet,
    confirmations,
    pollIntervalMs: options.pollIntervalMs ?? 500,
    stuckAfterMs: options.stuckAfterMs ?? 15_000,
    now: () => clock.now(),
  });
  const tools = { rpc, sender, onChain, clock };
  /** The settlements of this process that have no result yet, by `paymentKey`. */
  const underWay = new Map<string, Promise<SettleResult>>();

  /** Settles a payment. Calls for a payment that is under way share its settlement. Never rejects. */
  function settleOnce(
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
  ): Promise<SettleResult> {
    const key = paymentKey(authorization, requirements);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const settlement = submitPayment(tools, authorization, requirements)
      .catch((error: unknown): SettleResult => ({ status: 'unknown', reason: errorText(error) }))
      .finally(() => underWay.delete(key));
    underWay.set(key, settlement);
    return settlement;
  }

  return {
    name: 'evm',
    playMoney: false,
    address: wallet.address,
    chainId: () => rpc.chainId(),
    verify: ({ authorization }, requirements) => verifyOnChain(tools, wallet, authorization, requirements),
    async settle({ authorization }, requirements) {
      try {
        return await withinTime(awaitedTimers, timeoutMs, settleOnce(authorization, requirements));
      } catch {
        // The settlement itself goes on, and `lookup` finds its result later.
        return { status: 'unknown', reason: 'the chain takes longer' };
      }
    },
    async lookup({ authorization }, requirements) {
      const found = await onChain.lookup(authorization, requirements);
      return found.status === 'unused' && underWay.has(paymentKey(authorization, requirements))
        ? { status: 'unknown', reason: 'on its way' }
        : found;
    },
    supported: () => supportedOn(rpc),
    close: () => sender.close(),
  };
}

async function verifyOnChain(
  { rpc, clock }: Pick<SettlementTools, 'rpc' | 'clock'>,
  wallet: Wallet,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<VerifyResult> {
  const call = transferCall(authorization, requirements, clock.now());
  if (typeof call === 'string') return settlementRefusal(rpc, authorization, requirements, call);
  const result = await prepareTransaction(rpc, wallet, chainIdOf(requirements.network), call);
  if (result.status === 'unavailable') return result;
  return result.status === 'ready'
    ? { status: 'valid' }
    : diagnoseRevert(rpc, authorization, requirements, result.reason);
}

async function supportedOn(rpc: Rpc): Promise<SupportedResult> {
  try {
    const network = `eip155:${await rpc.chainId()}`;
    return { status: 'supported', kinds: [{ x402Version: 2, scheme: 'exact', network }] };
  } catch (error) {
    return { status: 'unavailable', reason: errorText(error) };
  }
}

function paymentKey(
  { from, nonce, signature }: PaymentAuthorization,
  requirements: PaymentRequirements,
): string {
  // Copies of a payment have the same key, so they share one settlement. The same nonce with another amount
  // or signature is another payment.
  const { asset, payTo, amount } = requirements;
  return [asset, payTo, amount, from, nonce, signature].join(':').toLowerCase();
}
