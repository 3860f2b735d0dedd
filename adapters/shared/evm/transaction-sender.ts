/**
 * Sends the transactions of one key, one at a time, so that each gets a nonce of its own. A call that reverts in a
 * simulation gets no nonce. A nonce counts as used once the node may have the transaction. The watcher follows each
 * transaction to its end.
 */
import type { Wallet } from 'ethers';
import { oneAtATime } from '../one-at-a-time';
import { prepareTransaction, type PreparedTransaction } from './prepare-transaction';
import { errorText, type Rpc } from './rpc';
import { broadcast, signTransaction, transactionCount, type ContractCall } from './transaction';
import { createWatcher, type MinedResult, type Watcher, type WatcherOptions } from './transaction-watcher';

export type SendResult =
  /** The contract refuses the call, so nothing was sent. */
  | { status: 'reverts'; reason: string }
  /** No transaction is on its way. */
  | { status: 'unavailable'; reason: string }
  /** The transaction may have been sent, and the watcher does not follow it. */
  | { status: 'unknown'; reason: string }
  /** The watcher follows the transaction. `mined` never rejects. */
  | { status: 'sent'; mined: Promise<MinedResult> };

export interface TransactionSender {
  send(call: ContractCall, expectedChainId: number | null): Promise<SendResult>;
  /** Stops watching. */
  close(): void;
}

export interface SenderOptions extends Omit<WatcherOptions, 'rpc' | 'wallet'> {
  rpc: Rpc;
  wallet: Wallet;
}

/**
 * How many nonces are tried for one call. Other users of the key may take nonces at the same time, so after a
 * taken nonce the chain is asked again.
 */
const NONCE_ATTEMPTS = 8;

/** The state of one sender, which all its calls share. */
interface Sending {
  rpc: Rpc;
  wallet: Wallet;
  watcher: Watcher;
  /** The next nonce. `null` means that the chain has to be asked. */
  nextNonce: number | null;
}

export function createTransactionSender({ rpc, wallet, ...watching }: SenderOptions): TransactionSender {
  const locked = oneAtATime();
  const watcher = createWatcher({ rpc, wallet, ...watching });
  const sending: Sending = { rpc, wallet, watcher, nextNonce: null };
  return {
    async send(call, expectedChainId) {
      const result = await prepareTransaction(rpc, wallet, expectedChainId, call);
      if (result.status !== 'ready') return result;
      return locked(async () => {
        try {
          return await submit(sending, result.prepared);
        } catch (error) {
          sending.nextNonce = null;
          return { status: 'unavailable', reason: errorText(error) };
        }
      });
    },
    close: () => watcher.close(),
  };
}

async function allocate({ rpc, wallet, watcher, nextNonce }: Sending): Promise<number> {
  const nonce = nextNonce ?? (await transactionCount(rpc, wallet.address, 'pending'));
  // The node may not know our waiting transactions, because it has lost them or because another node answers
  // now.
  return Math.max(nonce, nextNonce === null ? watcher.highestNonce() + 1 : 0);
}

/** Submits the call. Nonces below `lowest` are taken, even if the node counts fewer. */
async function submit(
  sending: Sending,
  prepared: PreparedTransaction,
  lowest = 0,
  attempt = 1,
): Promise<SendResult> {
  const { rpc, wallet, watcher } = sending;
  const nonce = Math.max(await allocate(sending), lowest);
  const signed = signTransaction(wallet, { ...prepared, nonce });
  const result = await broadcast(rpc, signed.raw);
  switch (result.status) {
    case 'accepted':
    case 'unknown':
      // An unknown result counts as sent. The watcher sends the same transaction again, and the chain executes
      // it once.
      sending.nextNonce = nonce + 1;
      return { status: 'sent', mined: watcher.watch({ prepared, nonce, signed }) };
    case 'nonce_taken':
      sending.nextNonce = null;
      return submitAgain(sending, prepared, nonce + 1, attempt + 1);
    case 'no_gas':
      sending.nextNonce = null;
      return { status: 'unavailable', reason: `${wallet.address} cannot pay for gas` };
    case 'refused':
      sending.nextNonce = null;
      return { status: 'unavailable', reason: result.reason };
  }
}

/**
 * Submits the call with the next nonce, after the node has answered that the last nonce is used. The last
 * transaction itself may have used that nonce: a load balancer can send it to a second node when the first is
 * slow. So no later failure proves that nothing was sent.
 */
async function submitAgain(
  sending: Sending,
  prepared: PreparedTransaction,
  lowest: number,
  attempt: number,
): Promise<SendResult> {
  if (attempt > NONCE_ATTEMPTS) return { status: 'unknown', reason: 'all its nonces were taken' };
  try {
    const result = await submit(sending, prepared, lowest, attempt);
    return result.status === 'unavailable' ? { ...result, status: 'unknown' } : result;
  } catch (error) {
    sending.nextNonce = null;
    return { status: 'unknown', reason: errorText(error) };
  }
}
