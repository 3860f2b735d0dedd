/** One settlement: the payer's authorization as a transaction of our key, and what its result means. */
import type { PaymentAuthorization, PaymentRequirements, SettleResult } from '../../../src/ports/facilitator';
import type { Clock } from '../../../src/ports/clock';
import type { AuthorizationLookup } from '../../shared/evm/authorization-lookup';
import { chainIdOf, errorText, type Rpc } from '../../shared/evm/rpc';
import {
  authorizationData,
  authorizationState,
  balanceOf,
  findUse,
  transfersAfterUse,
} from '../../shared/evm/token';
import type { ContractCall, Receipt } from '../../shared/evm/transaction';
import type { TransactionSender } from '../../shared/evm/transaction-sender';
import { authorizationProblem, EXPIRED } from '../authorization-problem';

export interface SettlementTools {
  rpc: Rpc;
  sender: TransactionSender;
  onChain: AuthorizationLookup;
  clock: Clock;
}

/**
 * The most attempts to send one settlement. A further attempt follows when another sender with the same key
 * has taken the nonce.
 */
const MOST_ATTEMPTS = 3;

const NOT_MINED = {
  replaced: 'the transaction was replaced',
  not_shown: 'the transaction was not shown',
  closed: 'the transaction was closed',
} as const;

export async function submitPayment(
  tools: SettlementTools,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<SettleResult> {
  for (let attempt = 1; ; attempt += 1) {
    const { result, isReplaced } = await submitOnce(tools, authorization, requirements);
    if (isReplaced && attempt < MOST_ATTEMPTS) continue;
    // An earlier attempt may be in a block that the node does not show yet. So after the first attempt a
    // refusal proves nothing, and the result is `unknown`.
    return attempt === 1 || result.status === 'settled' ? result : unknownInstead(result);
  }
}

interface Attempt {
  result: SettleResult;
  isReplaced: boolean;
}

async function submitOnce(
  tools: SettlementTools,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<Attempt> {
  const ended = (result: SettleResult): Attempt => ({ result, isReplaced: false });
  const call = transferCall(authorization, requirements, tools.clock.now());
  if (typeof call === 'string')
    return ended(await settlementRefusal(tools.rpc, authorization, requirements, call));
  const sent = await tools.sender.send(call, chainIdOf(requirements.network));
  if (sent.status === 'reverts')
    return ended(await diagnoseRevert(tools.rpc, authorization, requirements, sent.reason));
  if (sent.status !== 'sent') return ended(sent);
  const end = await sent.mined;
  if (end.status === 'mined')
    return ended(await outcomeOf(tools.onChain, end.receipt, authorization, requirements));
  const reason = NOT_MINED[end.status];
  return { result: { status: 'unknown', reason }, isReplaced: end.status === 'replaced' };
}

/** The call to the token contract, or a text that says why there is none. `now` is in milliseconds. */
export function transferCall(
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
  now: number,
): ContractCall | string {
  const problem = authorizationProblem(authorization, requirements, now);
  if (problem !== null) return problem;
  const data = authorizationData(authorization);
  if (data === null) return 'invalid_payload';
  return { to: requirements.asset, data, notBefore: Number(authorization.validAfter) };
}

/**
 * The result for an authorization that is not sent because of a problem. An expired authorization may have been
 * settled before its window ended, so the chain is asked whether it is spent.
 */
export async function settlementRefusal(
  rpc: Rpc,
  authorization: PaymentAuthorization,
  { asset }: PaymentRequirements,
  problem: string,
): Promise<Extract<SettleResult, { status: 'spent' | 'invalid' | 'unavailable' }>> {
  if (problem !== EXPIRED) return { status: 'invalid', reason: problem };
  try {
    const isSpent = await authorizationState(rpc, asset, authorization);
    return { status: isSpent ? 'spent' : 'invalid', reason: problem };
  } catch (error) {
    return { status: 'unavailable', reason: errorText(error) };
  }
}

/**
 * Why the token contract refuses a well-formed authorization: its nonce is used (`spent`), the payer lacks money, or
 * another cause (`invalid`). `unavailable` if the node cannot be asked.
 */
export async function diagnoseRevert(
  rpc: Rpc,
  authorization: PaymentAuthorization,
  { asset }: PaymentRequirements,
  reason: string,
): Promise<Extract<SettleResult, { status: 'spent' | 'insufficient_funds' | 'invalid' | 'unavailable' }>> {
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

async function outcomeOf(
  onChain: AuthorizationLookup,
  receipt: Receipt,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<SettleResult> {
  if (!receipt.succeeded) return afterRevert(onChain, authorization, requirements);
  const use = findUse(receipt.logs, requirements.asset, authorization);
  const paid = { from: authorization.from, to: requirements.payTo, value: BigInt(requirements.amount) };
  return use !== null && transfersAfterUse(receipt.logs, use, paid)
    ? { status: 'settled', transaction: receipt.hash }
    : { status: 'unknown', reason: `transaction ${receipt.hash} left no transfer` };
}

/**
 * The result of a reverted transaction. If the authorization is still unused, the result is `unknown`, because
 * the authorization can be settled later.
 */
async function afterRevert(
  onChain: AuthorizationLookup,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<SettleResult> {
  const found = await onChain.lookup(authorization, requirements);
  // A transfer that our own key has sent is our settlement, even if an earlier process sent it.
  if (found.status === 'settled')
    return found.sentBySettler === true
      ? { status: 'settled', transaction: found.transaction }
      : { status: 'spent', reason: 'another transaction was faster' };
  return found.status === 'unused' ? { status: 'unknown', reason: 'the transfer reverted' } : found;
}

function unknownInstead(result: SettleResult): SettleResult {
  return { status: 'unknown', reason: 'reason' in result ? result.reason : result.status };
}
