/** Sends withdrawals with a treasury key, by the token's `transfer` (ERC-20). */
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
import { currentFees, raisedFees } from '../../shared/evm/fees';
import { prepareTransaction, type PreparedTransaction } from '../../shared/evm/prepare-transaction';
import { chainIdOf, createRpc, errorText, revertReason, type Rpc } from '../../shared/evm/rpc';
import { balanceOf, transferData, type BlockTag } from '../../shared/evm/token';
import {
  broadcast,
  newestBlock,
  privateKey,
  signTransaction,
  transactionCount,
} from '../../shared/evm/transaction';
import { createProgress } from './progress';
import { amountOf, decodeState, encodeState, FOREIGN_STATE, readState, type EvmPayoutState } from './state';

export interface EvmPayoutOptions {
  /** The JSON-RPC address of a node of the payment network. */
  rpcUrl: string;
  /**
   * The private key of the treasury, which holds the token and pays for gas: 32 bytes, as 0x-hex. No other
   * program may send with this key.
   */
  privateKey: string;
  /** How many blocks deep a payout has to be before it counts. 1 trusts the newest block. Default 3. */
  confirmations?: number | undefined;
  /**
   * How many blocks deep a block has to be to count as final. Only for chains whose nodes never name a
   * `finalized` block. Default: the node names the final block.
   */
  finalityDepth?: number | undefined;
  /** After how many milliseconds a waiting payout gets a better offer for gas. Default 60,000. */
  stuckAfterMs?: number | undefined;
  clock?: Clock | undefined;
}

export interface EvmPayout extends Payout {
  /** The address of the treasury, which needs the token and the chain's native coin. */
  readonly address: string;
}

/**
 * The most payouts under way. go-ethereum by default keeps at least this many waiting transactions of one
 * sender.
 */
const MOST_UNDER_WAY = 16;
const CALLS_AT_ONCE = 8;

const CHECKS: Checks<EvmPayoutOptions> = {
  rpcUrl: secretHttpAddress,
  privateKey,
  confirmations: optional(integerBetween(1, 10_000)),
  finalityDepth: optional(integerBetween(1, 1_000_000)),
  stuckAfterMs: optional(integerBetween(0, 86_400_000)),
  clock: optional(aClock),
};

/** The parts that all payouts of one key share. */
interface Sending {
  rpc: Rpc;
  wallet: Wallet;
  clock: Clock;
}

/**
 * Pays withdrawals by token transfers of its own key. docs/money-in-and-out.md "Withdrawals".
 * @throws TypeError naming the option that does not fit, without repeating the key. RangeError for a number out of its
 * range.
 */
export function evmPayout(options: EvmPayoutOptions): EvmPayout {
  checkOptions('evmPayout', options, CHECKS);
  const { confirmations = 3, stuckAfterMs = 60_000, clock = systemClock } = options;
  const wallet = new Wallet(options.privateKey);
  const rpc = createRpc({ url: options.rpcUrl });
  const sending: Sending = { rpc, wallet, clock };
  const check = createProgress({
    rpc,
    confirmations,
    finalityDepth: options.finalityDepth,
    stuckAfterMs,
    now: () => clock.now(),
    isOurs: (state) => isOurs(sending, state),
    renew: (state) => renew(sending, state),
  });

  return {
    name: 'evm',
    playMoney: false,
    address: wallet.address,
    chainId: () => rpc.chainId(),
    atOnce: CALLS_AT_ONCE,
    async prepare(order, outstanding) {
      try {
        // The states of another adapter say nothing about the nonces of our key, so they are left out.
        const readable = outstanding.map(readState).filter((state) => state !== null);
        return await prepare(sending, order, readable);
      } catch (error) {
        return { status: 'unavailable', reason: errorText(error) };
      }
    },
    async submit(text) {
      const newest = decodeState(text).signed.at(-1);
      if (newest === undefined) return;
      const result = await broadcast(rpc, newest.raw);
      // If the nonce is taken, either this transaction or another offer for the same payout may have taken
      // it. `check` finds out which transaction has used the nonce.
      if (result.status === 'accepted' || result.status === 'nonce_taken') return;
      throw new Error(result.status === 'no_gas' ? `${wallet.address} cannot pay for gas` : result.reason);
    },
    async check(text) {
      const state = readState(text);
      return state === null ? { status: 'pending', trouble: FOREIGN_STATE, unknown: true } : check(state);
    },
  };
}

function isOurs({ wallet }: Sending, { sender }: EvmPayoutState): boolean {
  return sender === wallet.address;
}

function signed(
  { wallet, clock }: Sending,
  prepared: PreparedTransaction,
  nonce: number,
  before: EvmPayoutState['signed'] = [],
) {
  const transaction = signTransaction(wallet, { ...prepared, nonce });
  const offers = [...before, transaction];
  const state = { sender: wallet.address, nonce, prepared, signed: offers, signedAt: clock.now() };
  return { state: encodeState(state), transaction: transaction.hash };
}

async function renew(
  sending: Sending,
  { nonce, prepared, signed: before }: EvmPayoutState,
): Promise<PayoutProgress> {
  const fees = raisedFees(prepared.fees, await currentFees(sending.rpc));
  return { status: 'renewed', ...signed(sending, { ...prepared, fees }, nonce, before) };
}

async function prepare(
  sending: Sending,
  order: PayoutOrder,
  outstanding: readonly EvmPayoutState[],
): Promise<PayoutPreparation> {
  const { rpc, wallet } = sending;
  const chainId = chainIdOf(order.network);
  const ours = outstanding.filter((state) => isOurs(sending, state) && state.prepared.chainId === chainId);
  const nonce = freeNonce(await transactionCount(rpc, wallet.address, 'pending'), ours);
  // A missing lower nonce keeps the waiting transactions from being mined. So a payout that fills it is
  // prepared even when `MOST_UNDER_WAY` is reached.
  const fillsGap = ours.some((state) => state.nonce > nonce);
  if (ours.length >= MOST_UNDER_WAY && !fillsGap) return { status: 'busy' };
  // The call contains the id of the withdrawal. A node that is behind may report the nonce and the fees of an
  // earlier payout. Without the id, an order with the same recipient and amount would then become the same
  // transaction as that payout, and count as paid by it.
  const call = { to: order.asset, data: transferData(order.to, order.amount, order.id) };
  const result = await prepareTransaction(rpc, wallet, chainId, call);
  if (result.status === 'unavailable') return result;
  if (result.status === 'reverts') return refusal(rpc, wallet.address, order, call);
  const balance = await balanceOf(rpc, order.asset, wallet.address);
  // The payouts under way are added to the amount, because the balance may still include their money.
  // Otherwise this money would be spent twice, and one of the transfers would revert.
  if (balance < order.amount + owed(ours, order.asset)) return tooLittle(wallet.address);
  return { status: 'prepared', ...signed(sending, result.prepared, nonce) };
}

/**
 * The first nonce from `lowest` on that no payout uses. A nonce that is left out would keep all later nonces
 * waiting.
 */
function freeNonce(lowest: number, ours: readonly EvmPayoutState[]): number {
  const taken = new Set(ours.map(({ nonce }) => nonce));
  let nonce = lowest;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}

function owed(ours: readonly EvmPayoutState[], asset: string): bigint {
  const isOwed = ({ prepared: { to } }: EvmPayoutState): boolean => to.toLowerCase() === asset.toLowerCase();
  return ours.filter(isOwed).reduce((sum, state) => sum + amountOf(state), 0n);
}

function tooLittle(treasury: string): PayoutPreparation {
  return { status: 'unavailable', reason: `${treasury} holds too little of the token` };
}

/**
 * Why the transfer reverts: the treasury is short of money, or the recipient cannot receive the token. Both
 * queries to the node name the same block, because a node that is behind may not know the newest balance.
 */
async function refusal(
  rpc: Rpc,
  treasury: string,
  order: PayoutOrder,
  call: { to: string; data: string },
): Promise<PayoutPreparation> {
  const block: BlockTag = `0x${(await newestBlock(rpc)).toString(16)}`;
  if ((await balanceOf(rpc, order.asset, treasury, block)) < order.amount) return tooLittle(treasury);
  try {
    await rpc.send('eth_call', [{ from: treasury, ...call }, block]);
    return { status: 'unavailable', reason: 'the node contradicts itself about the transfer' };
  } catch (error) {
    const reason = revertReason(error);
    if (reason === null) throw error;
    return { status: 'refused', reason };
  }
}
