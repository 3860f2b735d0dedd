/** Pays out of a treasury key by `transfer` of the token. */
import { Wallet } from 'ethers';
import {
  aClock,
  checkOptions,
  integerBetween,
  optional,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { systemClock, type Clock } from '../../../src/ports/clock';
import type { Payout, PayoutOrder, PayoutProgress, PayoutPreparation } from '../../../src/ports/payout';
import { currentFees, raisedFees } from '../../evm/fees';
import { prepareCall, type PreparedCall } from '../../evm/prepare';
import { chainIdOf, createRpc, errorText, type Rpc } from '../../evm/rpc';
import { balanceOf, transferData } from '../../evm/token';
import { broadcast, privateKey, signTransaction, transactionCount } from '../../evm/transaction';
import { createProgress } from './progress';
import { decodeState, encodeState, type EvmPayoutState } from './state';

export interface EvmPayoutOptions {
  /** JSON-RPC address of a node of the payment network. */
  rpcUrl: string;
  /** Key of the treasury, which holds the token and pays for gas. Nothing else may send with it. */
  privateKey: string;
  /** How deep the block of a payout has to lie; 1 believes the newest block. Default 3. */
  confirmations?: number;
  /** A payout that waits so long is offered more gas; milliseconds, default 60,000. */
  stuckAfterMs?: number;
  clock?: Clock;
}

export interface EvmPayout extends Payout {
  /** The treasury's address: it needs the token and the chain's native coin. */
  readonly address: string;
}

const CHECKS: Checks<EvmPayoutOptions> = {
  rpcUrl: secretHttpAddress,
  privateKey,
  confirmations: optional(integerBetween(1, 10_000)),
  stuckAfterMs: optional(integerBetween(0, 86_400_000)),
  clock: optional(aClock),
};

export function evmPayout(options: EvmPayoutOptions): EvmPayout {
  checkOptions('evmPayout', options, CHECKS);
  const { confirmations = 3, stuckAfterMs = 60_000, clock = systemClock } = options;
  const wallet = new Wallet(options.privateKey);
  const rpc = createRpc({ url: options.rpcUrl });
  const isOurs = ({ sender }: EvmPayoutState): boolean => sender === wallet.address;
  const check = createProgress({ rpc, confirmations, stuckAfterMs, now: () => clock.now(), isOurs, renew });

  function signed(call: PreparedCall, nonce: number, before: EvmPayoutState['signed'] = []) {
    const transaction = signTransaction(wallet, { ...call, nonce });
    const offers = [...before, transaction];
    const state = { sender: wallet.address, nonce, call, signed: offers, signedAt: clock.now() };
    return { state: encodeState(state), transaction: transaction.hash };
  }

  async function renew({ nonce, call, signed: before }: EvmPayoutState): Promise<PayoutProgress> {
    const fees = raisedFees(call.fees, await currentFees(rpc));
    return { status: 'renewed', ...signed({ ...call, fees }, nonce, before) };
  }

  return {
    name: 'evm',
    address: wallet.address,
    async prepare(order, outstanding) {
      const call = { to: order.asset, data: transferData(order.to, order.amount) };
      const prepared = await prepareCall(rpc, wallet, chainIdOf(order.network), call);
      if (prepared.status === 'unavailable') return prepared;
      try {
        if (prepared.status === 'reverts') return await refusal(rpc, wallet, order, prepared.reason);
        const { chainId } = prepared.call;
        const ours = outstanding
          .map(decodeState)
          .filter((state) => isOurs(state) && state.call.chainId === chainId);
        const pending = await transactionCount(rpc, wallet.address, 'pending');
        return { status: 'prepared', ...signed(prepared.call, freeNonce(pending, ours)) };
      } catch (error) {
        return { status: 'unavailable', reason: errorText(error) };
      }
    },
    async submit(text) {
      const newest = decodeState(text).signed.at(-1);
      if (newest === undefined) return;
      const result = await broadcast(rpc, newest.raw);
      // A taken nonce is one that this very payout, or a newer offer of it, has used: `check` tells.
      if (result.status === 'accepted' || result.status === 'nonce_taken') return;
      throw new Error(result.status === 'no_gas' ? `${wallet.address} cannot pay for gas` : result.reason);
    },
    check: async (text) => check(decodeState(text)),
  };
}

/** The first from `lowest` on that no payout has: one that was left out would keep all later ones waiting. */
function freeNonce(lowest: number, ours: readonly EvmPayoutState[]): number {
  const taken = new Set(ours.map(({ nonce }) => nonce));
  let nonce = lowest;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}

/** The transfer reverts: because the treasury is short, or because the recipient can receive nothing. */
async function refusal(
  rpc: Rpc,
  wallet: Wallet,
  order: PayoutOrder,
  reason: string,
): Promise<PayoutPreparation> {
  const balance = await balanceOf(rpc, order.asset, wallet.address);
  return balance < order.amount
    ? { status: 'unavailable', reason: `${wallet.address} holds too little of the token` }
    : { status: 'refused', reason };
}
