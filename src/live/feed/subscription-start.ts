/** Where a subscription begins: at its `since`, at a snapshot, or now. */
import type { ApiKey } from '../../domain/types';
import { serviceUnavailable } from '../../domain/errors';
import type { EventPosition, EventPositionProblem } from '../../domain/event-position';
import type { RecentFacts } from './recent-facts';
import type { Semaphore } from './semaphore';
import { readMarkets, takeSnapshot, type SnapshotContents, type SnapshotContext } from './snapshot';
import type { Snapshot } from './types';

export interface SubscriptionStart {
  at: number;
  snapshot: Snapshot | null;
  /** Why the subscription cannot begin at `since`. `null` if it can, or if no `since` was given. */
  problem: { reason: EventPositionProblem; epoch: string } | null;
  /**
   * The key as it was at the moment of the snapshot, `null` if it was not active. Left out when no account
   * was read.
   */
  key?: ApiKey | null;
}

export interface SubscriptionStarts {
  /** Rejects with MARKET_NOT_FOUND or SERVICE_UNAVAILABLE. */
  find(since: EventPosition | null, contents: SnapshotContents): Promise<SubscriptionStart>;
  /** A new start for a subscription that cannot continue from its position. */
  anew(contents: SnapshotContents): Promise<SubscriptionStart>;
}

export interface SubscriptionStartParts {
  context: SnapshotContext;
  semaphore: Semaphore;
  recent: RecentFacts;
  position(): EventPosition;
}

export function createSubscriptionStarts({
  context,
  semaphore,
  recent,
  position,
}: SubscriptionStartParts): SubscriptionStarts {
  const { storage, timers } = context;
  /** The running checks of `isNextStored`, by `seq`. */
  const checks = new Map<number, Promise<boolean>>();

  async function anew(contents: SnapshotContents): Promise<SubscriptionStart> {
    const { snapshot, key } = await semaphore.run(() => takeSnapshot(context, contents));
    const account = contents.accountOf === null ? {} : { key };
    return { at: snapshot.seq, snapshot, problem: null, ...account };
  }

  /** Why the feed cannot give the reader the facts after `since`. `null` if it can. */
  async function problemOf(since: EventPosition): Promise<EventPositionProblem | null> {
    const { epoch, seq } = position();
    if (since.epoch !== epoch) return 'EPOCH';
    if (since.seq === seq) return null;
    // The client may have got facts from another instance that this instance has not read yet.
    if (since.seq > seq) return since.seq > (await semaphore.run(newest)) ? 'SEQ_AHEAD' : null;
    if (recent.after(since.seq, 1) !== null) return null;
    return (await isNextStored(since.seq)) ? null : 'RETENTION';
  }

  const newest = (): Promise<number> => storage.read(({ events }) => events.head());

  /**
   * Whether the storage still has the fact after `seq`. Subscriptions that need the same check at the same
   * time share it. If the fact is removed right after the check, `CatchUps` notices that and sends a resync.
   */
  function isNextStored(seq: number): Promise<boolean> {
    const known = checks.get(seq);
    if (known !== undefined) return known;
    const check = semaphore.run(() => checkAfter(seq)).finally(() => checks.delete(seq));
    checks.set(seq, check);
    return check;
  }

  async function checkAfter(seq: number): Promise<boolean> {
    const [next] = await storage.read(({ events }) => events.after(seq, 1));
    if (next === undefined) throw serviceUnavailable('The storage does not show facts that it had');
    return next.seq === seq + 1;
  }

  return {
    anew,
    async find(since, contents) {
      const { marketIds, accountOf } = contents;
      if (since === null) {
        if (marketIds.length > 0 || accountOf !== null) return anew(contents);
        return { at: position().seq, snapshot: null, problem: null };
      }
      const reason = await problemOf(since);
      if (reason !== null) {
        const start = await anew(contents);
        return { ...start, problem: { reason, epoch: position().epoch } };
      }
      if (marketIds.length > 0)
        await semaphore.run(() =>
          storage.read((reader) => readMarkets(reader, marketIds, timers, () => undefined)),
        );
      return { at: since.seq, snapshot: null, problem: null };
    },
  };
}
