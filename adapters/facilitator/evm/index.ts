/** Self-hosted settlement: submits the payer's authorization to the token contract with a key of our own. */
import { Wallet } from 'ethers';
import {
  authorizationState,
  authorizationData,
  balanceOf,
  findUse,
  transfersAfterUse,
} from '../../shared/evm/token';
import { createAuthorizationLookup } from '../../shared/evm/authorization-lookup';
import { prepareCall } from '../../shared/evm/prepare';
import { chainIdOf, createRpc, errorText } from '../../shared/evm/rpc';
import { privateKey, type Call, type Receipt } from '../../shared/evm/transaction';
import { createTransactionSender } from '../../shared/evm/transaction-sender';
import type {
  Facilitator,
  PaymentAuthorization,
  PaymentRequirements,
  SettleResult,
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
import { authorizationFault } from '../authorization-fault';

export interface EvmFacilitatorOptions {
  /** JSON-RPC address of a node of the payment network. */
  rpcUrl: string;
  /** Key of the settler, which pays for gas. Keep it to this: other senders with it are tolerated, not helped. */
  privateKey: string;
  /** How deep the block of a settlement has to lie; 1 believes the newest block. Default 1. */
  confirmations?: number;
  /** How long `settle` waits for the chain, in milliseconds; default 20,000. After that it is `unknown`. */
  timeoutMs?: number;
  /** A transaction that waits so long is offered more gas; milliseconds, default 15,000. */
  stuckAfterMs?: number;
  /** How often the chain is asked about what is under way, in milliseconds; default 500. */
  pollIntervalMs?: number;
  clock?: Clock;
}

export interface EvmFacilitator extends Facilitator {
  /** The settler's address: it needs the chain's native coin. */
  readonly address: string;
  /** Stops following what was sent. */
  close(): void;
}

/** A settlement whose nonce another user of the key took is sent again, so many times. */
const REPLACED_ATTEMPTS = 3;
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
  const underWay = new Map<string, Promise<SettleResult>>();

  /** Why the token refused a call that it would have taken from somebody with money and a fresh nonce. */
  async function diagnose(
    authorization: PaymentAuthorization,
    { asset }: PaymentRequirements,
    reason: string,
  ): Promise<VerifyResult & SettleResult> {
    try {
      if (await authorizationState(rpc, asset, authorization)) return { status: 'spent', reason };
      const balance = await balanceOf(rpc, asset, authorization.from);
      return balance < BigInt(authorization.value)
        ? { status: 'insufficient_funds' }
        : { status: 'invalid', reason };
    } catch (error) {
      return { status: 'unavailable', reason: errorText(error) };
    }
  }

  /** The call, or what is wrong with the authorization. */
  function callOf(authorization: PaymentAuthorization, requirements: PaymentRequirements): Call | string {
    const fault = authorizationFault(authorization, requirements, clock.now());
    if (fault !== null) return fault;
    const data = authorizationData(authorization);
    if (data === null) return 'invalid_payload';
    return { to: requirements.asset, data, notBefore: Number(authorization.validAfter) };
  }

  async function submit(
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
    attempt = 1,
  ): Promise<SettleResult> {
    const result = await submitOnce(authorization, requirements, attempt);
    // A refusal of this attempt says nothing about an earlier one, which may be in a block that is not seen yet.
    return attempt === 1 || result.status === 'settled' ? result : unknownInstead(result);
  }

  async function submitOnce(
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
    attempt: number,
  ): Promise<SettleResult> {
    const call = callOf(authorization, requirements);
    if (typeof call === 'string') return { status: 'invalid', reason: call };
    const sent = await sender.send(call, chainIdOf(requirements.network));
    if (sent.status === 'reverts') return diagnose(authorization, requirements, sent.reason);
    if (sent.status !== 'sent') return sent;
    const result = await sent.mined;
    if (result.status === 'mined') return outcomeOf(result.receipt, authorization, requirements);
    return result.status === 'replaced' && attempt < REPLACED_ATTEMPTS
      ? submit(authorization, requirements, attempt + 1)
      : { status: 'unknown', reason: `the transaction was ${result.status.replace('_', ' ')}` };
  }

  async function outcomeOf(
    receipt: Receipt,
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
  ): Promise<SettleResult> {
    if (!receipt.succeeded) return afterRevert(authorization, requirements);
    const use = findUse(receipt.logs, requirements.asset, authorization);
    const paid = { from: authorization.from, to: requirements.payTo, value: BigInt(requirements.amount) };
    return use !== null && transfersAfterUse(receipt.logs, use, paid)
      ? { status: 'settled', transaction: receipt.hash }
      : { status: 'unknown', reason: `transaction ${receipt.hash} left no transfer` };
  }

  /**
   * Another sender was faster with the same authorization, or the payer's money went meanwhile. Lack of money is not the
   * last word here: a block may be dropped and the transfer mined again, and what is left unused can still be settled.
   */
  async function afterRevert(
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
  ): Promise<SettleResult> {
    const found = await onChain.lookup(authorization, requirements);
    // Sent by an earlier process of ours it is ours; sent by a stranger, the caller has to judge for whom it was meant.
    if (found.status === 'settled')
      return found.sentBySettler === true
        ? { status: 'settled', transaction: found.transaction }
        : { status: 'spent', reason: 'another transaction was faster' };
    return found.status === 'unused' ? { status: 'unknown', reason: 'the transfer reverted' } : found;
  }

  function settleOnce(
    authorization: PaymentAuthorization,
    requirements: PaymentRequirements,
  ): Promise<SettleResult> {
    const key = paymentKey(authorization, requirements);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const settlement = submit(authorization, requirements)
      .catch((error: unknown): SettleResult => ({ status: 'unknown', reason: errorText(error) }))
      .finally(() => underWay.delete(key));
    underWay.set(key, settlement);
    return settlement;
  }

  return {
    name: 'evm',
    address: wallet.address,
    async verify({ authorization }, requirements) {
      const call = callOf(authorization, requirements);
      if (typeof call === 'string') return { status: 'invalid', reason: call };
      const prepared = await prepareCall(rpc, wallet, chainIdOf(requirements.network), call);
      if (prepared.status === 'unavailable') return prepared;
      return prepared.status === 'ready'
        ? { status: 'valid' }
        : diagnose(authorization, requirements, prepared.reason);
    },
    settle: ({ authorization }, requirements) => limited(settleOnce(authorization, requirements), timeoutMs),
    async lookup({ authorization }, requirements) {
      const found = await onChain.lookup(authorization, requirements);
      return found.status === 'unused' && underWay.has(paymentKey(authorization, requirements))
        ? { status: 'unknown', reason: 'on its way' }
        : found;
    },
    async supported() {
      try {
        const network = `eip155:${await rpc.chainId()}`;
        return { status: 'supported', kinds: [{ x402Version: 2, scheme: 'exact', network }] };
      } catch (error) {
        return { status: 'unavailable', reason: errorText(error) };
      }
    },
    close: () => sender.close(),
  };
}

function unknownInstead(result: SettleResult): SettleResult {
  return { status: 'unknown', reason: 'reason' in result ? result.reason : result.status };
}

function paymentKey(
  { from, nonce, signature }: PaymentAuthorization,
  requirements: PaymentRequirements,
): string {
  // All that decides the outcome: another amount or signature under the nonce is another payment.
  const { asset, payTo, amount } = requirements;
  return [asset, payTo, amount, from, nonce, signature].join(':').toLowerCase();
}

/** The settlement itself goes on after the time limit, and is found by `lookup`. */
async function limited(settlement: Promise<SettleResult>, timeoutMs: number): Promise<SettleResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SettleResult>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'unknown', reason: 'the chain takes longer' }), timeoutMs);
  });
  try {
    return await Promise.race([settlement, late]);
  } finally {
    clearTimeout(timer);
  }
}
