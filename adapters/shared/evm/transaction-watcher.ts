/** Follows the transactions that one key has sent, and sends waiting transactions again. */
import type { Wallet } from 'ethers';
import { realTimers } from '../../../src/ports/timers';
import { fillNonce, offerMoreGas, type OfferedTransaction } from './gas-offers';
import { countAt, findNonceUse, isInChain } from './nonce-use';
import type { PreparedTransaction } from './prepare-transaction';
import type { Rpc } from './rpc';
import {
  broadcast,
  newestBlock,
  transactionReceipt,
  transactionCount,
  type Receipt,
  type SignedTransaction,
} from './transaction';

export type MinedResult =
  | { status: 'mined'; receipt: Receipt }
  /** A block contains another transaction with the same nonce, so this transaction cannot be mined. */
  | { status: 'replaced' }
  /** The nonce is used, and for a minute the node did not show which transaction has used it. */
  | { status: 'not_shown' }
  /** The watcher was closed before it knew another result. */
  | { status: 'closed' };

export interface WatcherOptions {
  rpc: Rpc;
  wallet: Wallet;
  /** How many blocks deep a block has to be before it is trusted. 1 trusts the newest block. */
  confirmations: number;
  pollIntervalMs: number;
  /** After this many milliseconds, a waiting transaction gets a better offer for gas. */
  stuckAfterMs: number;
  now: () => number;
}

export interface Watcher {
  /** Follows a transaction. Never rejects. */
  watch(sent: {
    prepared: PreparedTransaction;
    nonce: number;
    signed: SignedTransaction;
  }): Promise<MinedResult>;
  /** The highest nonce that is watched. -1 when no transaction is watched. */
  highestNonce(): number;
  close(): void;
}

interface Watched extends OfferedTransaction {
  /**
   * When an offer was last made (`offeredAt`), and when an offer was last sent to the node (`givenAt`), in
   * milliseconds.
   */
  offeredAt: number;
  givenAt: number;
  /** How many checks in a row found the nonce used and no receipt, and when the first of these checks was. */
  checksWithoutReceipt: number;
  withoutReceiptSince: number;
  /** Gives the answer to the caller. `null` once the caller has the answer. */
  answer: ((result: MinedResult) => void) | null;
}

/**
 * A mined transaction is still followed for this many blocks after `confirmations`. If a reorganisation removes
 * its block in that time, the transaction is sent again.
 */
const FOLLOWED_BLOCKS = 3;
/**
 * After its caller has the result, a mined transaction is followed at most until this time plus `stuckAfterMs` has
 * passed since its last offer. If the nonce is used and no receipt is found for this time, the result is `not_shown`.
 */
const FOLLOWED_MS = 60_000;
/**
 * Each time that this many checks in a row have found no receipt, the blocks are searched for the transaction
 * that has used the nonce.
 */
const CHECKS_PER_SEARCH = 5;
/** How many times at most a waiting transaction is sent again within `stuckAfterMs`. */
const RESENDS = 5;

export function createWatcher(options: WatcherOptions): Watcher {
  const { pollIntervalMs, now } = options;
  const watched = new Map<number, Watched>();
  let closed = false;
  let cancel: (() => void) | null = null;

  function schedule(): void {
    if (closed || cancel !== null || watched.size === 0) return;
    cancel = realTimers.after(pollIntervalMs, () => {
      // If the node does not answer, the next poll asks it again.
      void checkAll(options, watched)
        .catch(() => undefined)
        .finally(() => {
          cancel = null;
          schedule();
        });
    });
  }

  return {
    watch({ prepared, nonce, signed }) {
      if (closed) return Promise.resolve({ status: 'closed' });
      const offer = { fees: prepared.fees, signed };
      const times = { offeredAt: now(), givenAt: now(), checksWithoutReceipt: 0, withoutReceiptSince: 0 };
      return new Promise((answer) => {
        watched.set(nonce, { prepared, nonce, offers: [offer], current: offer, ...times, answer });
        schedule();
      });
    },
    highestNonce: () => Math.max(-1, ...watched.keys()),
    close() {
      closed = true;
      cancel?.();
      for (const entry of watched.values()) answer(entry, { status: 'closed' });
      watched.clear();
    },
  };
}

/**
 * Looks for the receipts of the transactions whose nonce is used. Sends the other transactions again, the
 * first of them with a better offer if it has waited too long.
 */
async function checkAll(options: WatcherOptions, watched: Map<number, Watched>): Promise<void> {
  const { rpc, wallet } = options;
  const used = await transactionCount(rpc, wallet.address, 'latest');
  const head = await newestBlock(rpc);
  const ascending = [...watched.values()].sort((a, b) => a.nonce - b.nonce);
  await Promise.all(
    ascending
      .filter(({ nonce }) => nonce < used)
      .map(async (entry) => {
        const isOver = await checkUsed(options, entry, head);
        if (isOver && watched.get(entry.nonce) === entry) watched.delete(entry.nonce);
      }),
  );
  const [first, ...rest] = ascending.filter(({ nonce }) => nonce >= used);
  if (first === undefined) return;
  await moveFirst(options, first, used);
  for (const entry of rest) await sendAgain(options, entry);
}

/**
 * Looks for the receipt of a transaction whose nonce is used. Resolves with whether the transaction needs no
 * further check.
 */
async function checkUsed(options: WatcherOptions, entry: Watched, head: number): Promise<boolean> {
  const { rpc, confirmations, stuckAfterMs, now } = options;
  const receipts = await Promise.all(entry.offers.map(({ signed }) => transactionReceipt(rpc, signed.hash)));
  for (const receipt of receipts.filter((found) => found !== null)) {
    const depth = head - receipt.blockNumber + 1;
    const isProof = depth >= confirmations && entry.answer !== null;
    if (isProof && (await isInChain(rpc, receipt)) !== true) continue;
    entry.checksWithoutReceipt = 0;
    if (isProof) answer(entry, { status: 'mined', receipt });
    const isFollowed =
      depth >= confirmations + FOLLOWED_BLOCKS || now() - entry.offeredAt >= FOLLOWED_MS + stuckAfterMs;
    return isFollowed && entry.answer === null;
  }
  return checkWithoutReceipt(options, entry, head);
}

/**
 * Notes that a transaction whose nonce is used has no receipt in the chain. The node may be behind or have pruned its
 * index, so every `CHECKS_PER_SEARCH` checks the blocks are searched. Resolves with whether the transaction needs no
 * further check.
 */
async function checkWithoutReceipt(options: WatcherOptions, entry: Watched, head: number): Promise<boolean> {
  const { now } = options;
  if (entry.checksWithoutReceipt === 0) entry.withoutReceiptSince = now();
  entry.checksWithoutReceipt += 1;
  if (entry.checksWithoutReceipt % CHECKS_PER_SEARCH === 0 && (await isReplaced(options, entry, head))) {
    answer(entry, { status: 'replaced' });
    return true;
  }
  if (now() - entry.withoutReceiptSince < FOLLOWED_MS) return false;
  answer(entry, { status: 'not_shown' });
  return true;
}

/** Whether a block that is deep enough contains another transaction with the nonce. */
async function isReplaced(
  { rpc, wallet, confirmations }: WatcherOptions,
  { nonce, offers }: Watched,
  head: number,
): Promise<boolean> {
  const highest = head - confirmations + 1;
  try {
    if (highest < 0 || (await countAt(rpc, wallet.address, highest)) <= nonce) return false;
    const use = await findNonceUse(rpc, wallet.address, nonce, highest);
    return use !== null && offers.every(({ signed }) => signed.hash !== use.hash);
  } catch {
    // A node that does not keep old states cannot answer.
    return false;
  }
}

/**
 * Helps the unmined transaction with the lowest nonce. That transaction waits because its offer for gas is
 * too low, or because a lower nonce is not used yet.
 */
async function moveFirst(options: WatcherOptions, entry: Watched, used: number): Promise<void> {
  const { rpc, wallet, stuckAfterMs, now } = options;
  // After the caller has the result, a reorganisation can bring the transaction back to the pool. Then it
  // gets no better offer, because it has to keep the hash that the caller knows.
  const isAnswered = entry.answer === null;
  if (isAnswered || now() - entry.offeredAt < stuckAfterMs) return sendAgain(options, entry);
  entry.offeredAt = entry.givenAt = now();
  for (let nonce = used; nonce < entry.nonce; nonce += 1) await fillNonce(rpc, wallet, nonce, entry);
  await offerMoreGas(rpc, wallet, entry);
}

/**
 * Sends the transaction again, unless that was done a short time ago. A node that has lost the transaction
 * accepts it.
 */
async function sendAgain({ rpc, stuckAfterMs, now }: WatcherOptions, entry: Watched): Promise<void> {
  if (now() - entry.givenAt < stuckAfterMs / RESENDS) return;
  entry.givenAt = now();
  await broadcast(rpc, entry.current.signed.raw);
}

function answer(entry: Watched, result: MinedResult): void {
  entry.answer?.(result);
  entry.answer = null;
}
