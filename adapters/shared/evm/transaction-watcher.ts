/** Follows what one key has sent until it lies deep enough in the chain. */
import type { Wallet } from 'ethers';
import { currentFees, raisedFees, type Fees } from './fees';
import type { PreparedCall } from './prepare';
import type { Rpc } from './rpc';
import {
  broadcast,
  newestBlock,
  receiptOf,
  signTransaction,
  transactionCount,
  type Receipt,
  type SignedTransaction,
} from './transaction';

export type MinedResult =
  | { status: 'mined'; receipt: Receipt }
  /** Another transaction took its nonce: this one can never be mined. */
  | { status: 'replaced' }
  /** Nobody watches any more. */
  | { status: 'closed' };

export interface WatcherOptions {
  rpc: Rpc;
  wallet: Wallet;
  /** How deep a block has to lie to be believed; 1 believes the newest. */
  confirmations: number;
  pollIntervalMs: number;
  /** A transaction that waits so long is offered more gas. */
  stuckAfterMs: number;
  now: () => number;
}

export interface Watcher {
  watch(sent: { call: PreparedCall; nonce: number; signed: SignedTransaction }): Promise<MinedResult>;
  /** Of what is being watched; -1 when that is nothing. */
  highestNonce(): number;
  close(): void;
}

interface Watched {
  call: PreparedCall;
  nonce: number;
  fees: Fees;
  /** All with the nonce, so at most one of them is ever mined; newest last. */
  signed: SignedTransaction[];
  /** When its present offer was first sent, and when it was last given to the node. */
  sentAt: number;
  givenAt: number;
  /** Looks without a receipt although the nonce is used up: nodes behind one address may disagree for a moment. */
  missing: number;
  answer: ((result: MinedResult) => void) | null;
}

/** So much deeper than was asked for a transaction is followed after its answer, and sent again if its block is dropped. */
const FOLLOWED_BLOCKS = 3;
/** Where blocks are rare the following ends with the time. */
const FOLLOWED_MS = 60_000;
const BELIEVED_MISSING = 5;
/** So often a waiting transaction is given to the node before it counts as stuck. */
const RESENDS = 5;

export function createWatcher(options: WatcherOptions): Watcher {
  const { rpc, wallet, confirmations, pollIntervalMs, stuckAfterMs, now } = options;
  const watched = new Map<number, Watched>();
  let closed = false;
  let timer: NodeJS.Timeout | null = null;

  function schedule(): void {
    if (closed || timer !== null || watched.size === 0) return;
    timer = setTimeout(() => {
      // A node that does not answer is asked again at the next turn.
      void look()
        .catch(() => undefined)
        .finally(() => {
          timer = null;
          schedule();
        });
    }, pollIntervalMs);
    timer.unref();
  }

  async function look(): Promise<void> {
    const used = await transactionCount(rpc, wallet.address, 'latest');
    const head = await newestBlock(rpc);
    const ascending = [...watched.values()].sort((a, b) => a.nonce - b.nonce);
    await Promise.all(
      ascending.filter(({ nonce }) => nonce < used).map((entry) => lookForReceipt(entry, head)),
    );
    const [first, ...rest] = ascending.filter(({ nonce }) => nonce >= used);
    if (first === undefined) return;
    await push(first, used);
    for (const entry of rest) await sendAgain(entry);
  }

  async function lookForReceipt(entry: Watched, head: number): Promise<void> {
    const receipts = await Promise.all(entry.signed.map(({ hash }) => receiptOf(rpc, hash)));
    const receipt = receipts.find((found) => found !== null);
    if (receipt === undefined || receipt === null) {
      entry.missing += 1;
      if (entry.missing >= BELIEVED_MISSING) finish(entry, { status: 'replaced' });
      return;
    }
    entry.missing = 0;
    const depth = head - receipt.blockNumber + 1;
    if (depth >= confirmations) {
      entry.answer?.({ status: 'mined', receipt });
      entry.answer = null;
    }
    if (depth >= confirmations + FOLLOWED_BLOCKS || now() - entry.sentAt >= FOLLOWED_MS + stuckAfterMs)
      if (entry.answer === null) watched.delete(entry.nonce);
  }

  /** The next in line: what keeps it from being mined is its offer, or a nonce before it that nobody uses. */
  async function push(entry: Watched, used: number): Promise<void> {
    const answered = entry.answer === null;
    // One that has been answered for keeps the hash that was told.
    if (answered || now() - entry.sentAt < stuckAfterMs) return sendAgain(entry);
    entry.sentAt = entry.givenAt = now();
    for (let nonce = used; nonce < entry.nonce; nonce += 1) await fill(nonce, entry);
    const fees = raisedFees(entry.fees, await currentFees(rpc));
    const signed = signTransaction(wallet, { ...entry.call, nonce: entry.nonce, fees });
    // Recorded first: if it is mined without our having got the answer, its receipt must still be found.
    entry.signed.push(signed);
    const result = await broadcast(rpc, signed.raw);
    if (result.status === 'accepted' || result.status === 'unknown') entry.fees = fees;
    if (result.status === 'no_gas' || result.status === 'refused') entry.signed.pop();
  }

  /**
   * Uses up a nonce that stands in the way: a gap, or a transaction of an earlier process that offered too little. That
   * one, if it is lost by this, was a payment whose state its owner finds on the chain.
   */
  async function fill(nonce: number, { call, fees }: Watched): Promise<void> {
    let offer = raisedFees(fees, await currentFees(rpc));
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const blank = { to: wallet.address, data: '0x', chainId: call.chainId, gasLimit: 21_000n };
      const { raw } = signTransaction(wallet, { ...blank, nonce, fees: offer });
      if ((await broadcast(rpc, raw)).status !== 'nonce_taken') return;
      offer = raisedFees(raisedFees(offer, offer), offer);
    }
  }

  /** A node that has it says so, and one that has forgotten it takes it again. */
  async function sendAgain(entry: Watched): Promise<void> {
    if (now() - entry.givenAt < stuckAfterMs / RESENDS) return;
    entry.givenAt = now();
    const newest = entry.signed.at(-1);
    if (newest !== undefined) await broadcast(rpc, newest.raw);
  }

  function finish(entry: Watched, result: MinedResult): void {
    watched.delete(entry.nonce);
    entry.answer?.(result);
    entry.answer = null;
  }

  return {
    watch({ call, nonce, signed }) {
      if (closed) return Promise.resolve({ status: 'closed' });
      return new Promise((answer) => {
        const time = { sentAt: now(), givenAt: now() };
        watched.set(nonce, { call, nonce, fees: call.fees, signed: [signed], ...time, missing: 0, answer });
        schedule();
      });
    },
    highestNonce: () => Math.max(-1, ...watched.keys()),
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      for (const entry of [...watched.values()]) finish(entry, { status: 'closed' });
    },
  };
}
