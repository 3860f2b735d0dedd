/** Pays out of a treasury key by `transfer` of the token. */
import { Wallet } from 'ethers';
import { currentFees, raisedFees } from '../../evm/fees';
import { prepareCall, type PreparedCall } from '../../evm/prepare';
import { chainIdOf, createRpc, errorText, toQuantity, quantity, type Rpc } from '../../evm/rpc';
import { balanceOf, transferData } from '../../evm/token';
import {
  broadcast,
  newestBlock,
  receiptOf,
  signTransaction,
  transactionCount,
  privateKey,
  type Receipt,
} from '../../evm/transaction';
import type { Payout, PayoutOrder, PayoutProgress, PayoutPreparation } from '../../../src/ports/payout';
import {
  aClock,
  checkOptions,
  integerBetween,
  optional,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { systemClock, type Clock } from '../../../src/ports/clock';
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

/**
 * So much deeper than a payout has to lie another transaction must have used its nonce before the payout counts as lost: it
 * is paid anew then, and no reorganised block may bring the first one back.
 */
const LOST_DEPTH = 12;

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

  function signed(call: PreparedCall, nonce: number, before: EvmPayoutState['signed'] = []) {
    const transaction = signTransaction(wallet, { ...call, nonce });
    const state = { nonce, call, signed: [...before, transaction], signedAt: clock.now() };
    return { state: encodeState(state), transaction: transaction.hash };
  }

  async function check(state: EvmPayoutState): Promise<PayoutProgress> {
    const receipts = await Promise.all(state.signed.map(({ hash }) => receiptOf(rpc, hash)));
    const receipt = receipts.find((found) => found !== null) ?? null;
    if (receipt !== null) return progressOf(receipt, (await newestBlock(rpc)) - receipt.blockNumber + 1);
    const used = await transactionCount(rpc, wallet.address, 'latest');
    if (used > state.nonce) return passedOver(state);
    const isNext = used === state.nonce;
    return isNext && clock.now() - state.signedAt >= stuckAfterMs ? renewed(state) : { status: 'pending' };
  }

  function progressOf({ hash, succeeded }: Receipt, depth: number): PayoutProgress {
    if (depth < confirmations) return { status: 'pending' };
    return succeeded
      ? { status: 'confirmed', transaction: hash }
      : { status: 'failed', transaction: hash, reason: 'the transfer reverted' };
  }

  /** Its nonce is used and it has no receipt: a node that lags behind, or a foreign use of the key. */
  async function passedOver(state: EvmPayoutState): Promise<PayoutProgress> {
    const deep = (await newestBlock(rpc)) - confirmations - LOST_DEPTH;
    if (deep < 0 || (await countAt(rpc, wallet, deep)) <= state.nonce) return { status: 'pending' };
    const known = await Promise.all(
      state.signed.map(({ hash }) => rpc.send('eth_getTransactionByHash', [hash])),
    );
    return known.some((transaction) => transaction !== null)
      ? { status: 'pending' }
      : { status: 'lost', reason: `another transaction has used nonce ${state.nonce}` };
  }

  async function renewed({ nonce, call, signed: before }: EvmPayoutState): Promise<PayoutProgress> {
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
        const pending = await transactionCount(rpc, wallet.address, 'pending');
        const nonce = Math.max(pending, ...outstanding.map((state) => decodeState(state).nonce + 1));
        return { status: 'prepared', ...signed(prepared.call, nonce) };
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

async function countAt(rpc: Rpc, wallet: Wallet, block: number): Promise<number> {
  const count = await rpc.send('eth_getTransactionCount', [wallet.address, toQuantity(block)]);
  return quantity(count, 'eth_getTransactionCount');
}
