/** The open positions of the wallet: read again after each message of the account. */
import type { Position } from '../api.generated';
import type { PredictionMarketClient } from '../create-client';
import { refusalError } from '../live/errors';
import { asApiError, type Entry } from './entry';
import { createCell } from './shown';

const AGAIN_MS = 3_000;
/** After these errors no timer reads the positions again, because the client needs another key. */
const FINAL: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'INSUFFICIENT_SCOPE']);

export function createAccountEntry(
  client: Pick<PredictionMarketClient, 'account' | 'timers' | 'key'>,
): Entry<readonly Position[]> {
  const { now, after } = client.timers;
  const cell = createCell<readonly Position[]>(now);
  /** Whether messages of the account arrive. */
  let isFollowing = false;
  /** Raised when the result of a reading under way must not be shown, for example because the key has changed. */
  let turn = 0;
  let isReading = false;
  /** Whether the positions have changed since the reading under way began. */
  let isOutdated = false;
  let cancelAgain = (): void => undefined;

  /**
   * Reads the positions; rejects if that fails. If a reading is under way already, the promise resolves at once, and
   * another reading follows. Does nothing without a key.
   */
  async function read(): Promise<void> {
    isOutdated = isReading;
    if (isReading || client.key.get() === null) return;
    cancelAgain();
    isReading = true;
    const mine = turn;
    const asked = now();
    try {
      const positions: Position[] = [];
      for await (const position of client.account.allPositions({ status: 'open' })) positions.push(position);
      if (mine === turn) show(positions, asked);
    } catch (error) {
      if (mine === turn) failed(error);
      throw error;
    } finally {
      isReading = false;
      if (isOutdated) readAnew();
    }
  }

  function show(positions: readonly Position[], asked: number): void {
    if (isFollowing && !isOutdated) cell.live(positions);
    else cell.stale(positions, asked);
  }

  function failed(thrown: unknown): void {
    const error = asApiError(thrown);
    cell.failed(error);
    if (!FINAL.has(error.code)) cancelAgain = after(AGAIN_MS, readAnew);
  }

  function readAnew(): void {
    cell.lost();
    read().catch(() => undefined);
  }

  const leaveKey = client.key.onChange(() => {
    turn += 1;
    isFollowing = false;
    cancelAgain();
    cell.reset();
    readAnew();
  });
  readAnew();
  return {
    cell,
    follower: {
      begin() {
        isFollowing = true;
        readAnew();
      },
      event: readAnew,
      lost() {
        isFollowing = false;
        cell.lost();
      },
      refused(refusal) {
        turn += 1;
        cell.failed(refusalError(refusal));
      },
    },
    ask: read,
    end() {
      turn += 1;
      isOutdated = false;
      cancelAgain();
      leaveKey();
    },
  };
}
