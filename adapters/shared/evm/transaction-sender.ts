/**
 * Sends transactions of one key. Nonces are given away one after the other under a lock, only to calls that the newest
 * state accepts, and only for good when the node has the transaction: so none is left out, and what reverts blocks nobody.
 * What is sent is watched to its end: sent again when a node has forgotten it (a reorganised block, a full pool), and
 * offered more gas when it is stuck.
 */
import type { Wallet } from 'ethers';
import { createLock } from './lock';
import { prepareCall, type PreparedCall } from './prepare';
import { errorText, type Rpc } from './rpc';
import { broadcast, signTransaction, transactionCount, type Call } from './transaction';
import { createWatcher, type MinedResult, type WatcherOptions } from './transaction-watcher';

export type SendResult =
  /** The contract refuses the call: nothing was sent. */
  | { status: 'reverts'; reason: string }
  /** Nothing was sent. */
  | { status: 'unavailable'; reason: string }
  /** It may have been sent, and is not watched. */
  | { status: 'unknown'; reason: string }
  /** It is on its way. `mined` never rejects. */
  | { status: 'sent'; mined: Promise<MinedResult> };

export interface TransactionSender {
  send(call: Call, expectedChainId: number | null): Promise<SendResult>;
  /** Stops watching. */
  close(): void;
}

export interface SenderOptions extends Omit<WatcherOptions, 'rpc' | 'wallet'> {
  rpc: Rpc;
  wallet: Wallet;
}

/** Other users of the key may take nonces at the same time; each attempt asks the chain anew. */
const NONCE_ATTEMPTS = 8;

export function createTransactionSender({ rpc, wallet, ...watching }: SenderOptions): TransactionSender {
  const lock = createLock();
  const watcher = createWatcher({ rpc, wallet, ...watching });
  /** `null`: to be asked of the chain. */
  let nextNonce: number | null = null;

  async function allocate(): Promise<number> {
    const nonce = nextNonce ?? (await transactionCount(rpc, wallet.address, 'pending'));
    // Ours may wait in no pool at the moment (forgotten, or the node is another one than before).
    return Math.max(nonce, nextNonce === null ? watcher.highestNonce() + 1 : 0);
  }

  /** `lowest`: those below are known to be taken, whatever the node counts. */
  async function submit(call: PreparedCall, lowest = 0, attempt = 1): Promise<SendResult> {
    const nonce = Math.max(await allocate(), lowest);
    const signed = signTransaction(wallet, { ...call, nonce });
    const result = await broadcast(rpc, signed.raw);
    switch (result.status) {
      case 'accepted':
      case 'unknown':
        // Unknown counts as sent: the watcher sends the same again, which the chain takes once.
        nextNonce = nonce + 1;
        return { status: 'sent', mined: watcher.watch({ call, nonce, signed }) };
      case 'nonce_taken':
        nextNonce = null;
        return submitAgain(call, nonce + 1, attempt + 1);
      case 'no_gas':
        nextNonce = null;
        return { status: 'unavailable', reason: `${wallet.address} cannot pay for gas` };
      case 'refused':
        nextNonce = null;
        return { status: 'unavailable', reason: result.reason };
    }
  }

  /**
   * The nonce may have been taken by this very transaction (a balancer asks a second node when the first one is slow): no
   * failure from here on proves that nothing was sent.
   */
  async function submitAgain(call: PreparedCall, lowest: number, attempt: number): Promise<SendResult> {
    if (attempt > NONCE_ATTEMPTS) return { status: 'unknown', reason: 'all its nonces were taken' };
    try {
      const result = await submit(call, lowest, attempt);
      return result.status === 'unavailable' ? { ...result, status: 'unknown' } : result;
    } catch (error) {
      nextNonce = null;
      return { status: 'unknown', reason: errorText(error) };
    }
  }

  return {
    async send(call, expectedChainId) {
      const prepared = await prepareCall(rpc, wallet, expectedChainId, call);
      if (prepared.status !== 'ready') return prepared;
      return lock.run(async () => {
        try {
          return await submit(prepared.call);
        } catch (error) {
          nextNonce = null;
          return { status: 'unavailable', reason: errorText(error) };
        }
      });
    },
    close: () => watcher.close(),
  };
}
