/** Follows the transactions that one key has sent, until each is deep enough in the chain. */
import type { Wallet } from 'ethers';
import { realTimers } from '../../../src/ports/timers';
import { fillNonce, offerMoreGas, type OfferedTransaction } from './gas-offers';
import { countAt, findNonceUse } from './nonce-use';
import type { PreparedTransaction } from './prepare';
import type { Rpc } from './rpc';
import {
  broadcast,
  newestBlock,
  receiptOf,
  transactionCount,
  type Receipt,
  type SignedTransaction,
} from './transaction';

export type MinedResult =
  | { status: 'mined'; receipt: Receipt }
  /** A block holds another transaction with its nonce, so this one can never be mined. */
  | { status: 'replaced' }
  /** Its nonce is used, and the node did not show for a minute what has used it. */
  | { status: 'not_shown' }
  /** The watcher was closed before the transaction was mined. */
  | { status: 'closed' };

export interface WatcherOptions {
  rpc: Rpc;
  wallet: Wallet;
  /** How many blocks deep a block has to be to be trusted; 1 trusts the newest. */
  confirmations: number;
  pollIntervalMs: number;
  /** A transaction that waits this many milliseconds is offered more gas. */
  stuckAfterMs: number;
  now: () => number;
}

export interface Watcher {
  /** Never rejects. */
  watch(sent: {
    prepared: PreparedTransaction;
    nonce: number;
    signed: SignedTransaction;
  }): Promise<MinedResult>;
  /** The highest nonce that is watched; -1 when none is. */
  highestNonce(): number;
  close(): void;
}

interface Watched extends OfferedTransaction {
  /** When an offer was last made, and when one was last sent to the node, in milliseconds. */
  offeredAt: number;
  givenAt: number;
  /**
   * The number of looks in a row that found the nonce used and no receipt, and the instant of the first of
   * them.
   */
  looksWithoutReceipt: number;
  withoutReceiptSince: number;
  /** `null` once the answer was given. */
  answer: ((result: MinedResult) => void) | null;
}

/**
 * After its answer, a transaction is followed until it is this many blocks deeper. It is sent again if its
 * block is dropped.
 */
const FOLLOWED_BLOCKS = 3;
/** On chains with rare blocks, following ends after this time. */
const FOLLOWED_MS = 60_000;
/**
 * After every so many looks without a receipt, the blocks are searched for the transaction that used the
 * nonce.
 */
const LOOKS_PER_SEARCH = 5;
/** A waiting transaction counts as stuck after it was sent to the node this often. */
const RESENDS = 5;

export function createWatcher(options: WatcherOptions): Watcher {
  const { pollIntervalMs, now } = options;
  const watched = new Map<number, Watched>();
  let closed = false;
  let callOff: (() => void) | null = null;

  function schedule(): void {
    if (closed || callOff !== null || watched.size === 0) return;
    callOff = realTimers.after(pollIntervalMs, () => {
      // A node that does not answer is asked again in the next round.
      void lookAtAll(options, watched)
        .catch(() => undefined)
        .finally(() => {
          callOff = null;
          schedule();
        });
    });
  }

  return {
    watch({ prepared, nonce, signed }) {
      if (closed) return Promise.resolve({ status: 'closed' });
      const offer = { fees: prepared.fees, signed };
      const times = { offeredAt: now(), givenAt: now(), looksWithoutReceipt: 0, withoutReceiptSince: 0 };
      return new Promise((answer) => {
        watched.set(nonce, { prepared, nonce, offers: [offer], current: offer, ...times, answer });
        schedule();
      });
    },
    highestNonce: () => Math.max(-1, ...watched.keys()),
    close() {
      closed = true;
      callOff?.();
      for (const entry of watched.values()) answer(entry, { status: 'closed' });
      watched.clear();
    },
  };
}

/** Looks for receipts of the transactions whose nonce is used, and sends the others again. */
async function lookAtAll(options: WatcherOptions, watched: Map<number, Watched>): Promise<void> {
  const { rpc, wallet } = options;
  const used = await transactionCount(rpc, wallet.address, 'latest');
  const head = await newestBlock(rpc);
  const ascending = [...watched.values()].sort((a, b) => a.nonce - b.nonce);
  await Promise.all(
    ascending
      .filter(({ nonce }) => nonce < used)
      .map(async (entry) => {
        const isOver = await lookAtUsed(options, entry, head);
        if (isOver && watched.get(entry.nonce) === entry) watched.delete(entry.nonce);
      }),
  );
  const [first, ...rest] = ascending.filter(({ nonce }) => nonce >= used);
  if (first === undefined) return;
  await moveFirst(options, first, used);
  for (const entry of rest) await sendAgain(options, entry);
}

/** Resolves with whether the transaction needs no further look. */
async function lookAtUsed(options: WatcherOptions, entry: Watched, head: number): Promise<boolean> {
  const { rpc, confirmations, stuckAfterMs, now } = options;
  const receipts = await Promise.all(entry.offers.map(({ signed }) => receiptOf(rpc, signed.hash)));
  const receipt = receipts.find((found) => found !== null) ?? null;
  if (receipt === null) return lookWithoutReceipt(options, entry, head);
  entry.looksWithoutReceipt = 0;
  const depth = head - receipt.blockNumber + 1;
  if (depth >= confirmations) answer(entry, { status: 'mined', receipt });
  const isFollowed =
    depth >= confirmations + FOLLOWED_BLOCKS || now() - entry.offeredAt >= FOLLOWED_MS + stuckAfterMs;
  return isFollowed && entry.answer === null;
}

/** A missing receipt proves nothing: the node may lag behind or have pruned its index. */
async function lookWithoutReceipt(options: WatcherOptions, entry: Watched, head: number): Promise<boolean> {
  const { now } = options;
  if (entry.looksWithoutReceipt === 0) entry.withoutReceiptSince = now();
  entry.looksWithoutReceipt += 1;
  if (entry.looksWithoutReceipt % LOOKS_PER_SEARCH === 0 && (await isReplaced(options, entry, head))) {
    answer(entry, { status: 'replaced' });
    return true;
  }
  if (now() - entry.withoutReceiptSince < FOLLOWED_MS) return false;
  answer(entry, { status: 'not_shown' });
  return true;
}

/** Whether a deep enough block contains another transaction with the nonce. */
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
    // The node does not keep old states.
    return false;
  }
}

/**
 * The transaction with the lowest unused nonce waits for a better offer, or for a lower nonce that is not
 * used.
 */
async function moveFirst(options: WatcherOptions, entry: Watched, used: number): Promise<void> {
  const { rpc, wallet, stuckAfterMs, now } = options;
  // An answered transaction can return to the pool after a reorganisation. It keeps the hash that the answer
  // contained.
  const isAnswered = entry.answer === null;
  if (isAnswered || now() - entry.offeredAt < stuckAfterMs) return sendAgain(options, entry);
  entry.offeredAt = entry.givenAt = now();
  for (let nonce = used; nonce < entry.nonce; nonce += 1) await fillNonce(rpc, wallet, nonce, entry);
  await offerMoreGas(rpc, wallet, entry);
}

/** A node that has lost the transaction accepts it again. */
async function sendAgain({ rpc, stuckAfterMs, now }: WatcherOptions, entry: Watched): Promise<void> {
  if (now() - entry.givenAt < stuckAfterMs / RESENDS) return;
  entry.givenAt = now();
  await broadcast(rpc, entry.current.signed.raw);
}

function answer(entry: Watched, result: MinedResult): void {
  entry.answer?.(result);
  entry.answer = null;
}
