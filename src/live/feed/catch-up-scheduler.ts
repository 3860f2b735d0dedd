/**
 * Orders the catch-ups of one connection. A catch-up sends the facts that a subscription has missed. Only the
 * catch-up that has the turn gets pages. Catch-ups at the same position and with the same `conflate` are merged, so
 * that the service does not read and send each page once for each of a thousand subscriptions.
 */
import type { Clock } from '../../ports/clock';
import { FairShare } from './fair-share';
import type { Subscription } from './subscription';

/** Up to this many catch-ups of one connection run without pauses. */
const FEW_CATCH_UPS = 8;
/**
 * The longest pause before the turn goes to a catch-up farther back, which is at a lower `seq`. That catch-up sends
 * facts that the connection has already got on other channels.
 */
const LONGEST_ROUND_PAUSE_MS = 250;

export interface MergingConnection {
  merge(into: Subscription, from: Subscription): void;
}

interface Waiting {
  subscription: Subscription;
  begin(): void;
}

export class CatchUpScheduler<Connection extends MergingConnection> {
  readonly share: FairShare;
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #holder: Subscription | null = null;
  /** The position of the subscription that had the turn last. */
  #reached = 0;
  /** The sum of the pauses since the turn last went to a catch-up farther back, in milliseconds. */
  #owedInRound = 0;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.share = new FairShare(clock);
  }

  /**
   * How many milliseconds the subscription with the turn waits before its next page. Up to `FEW_CATCH_UPS` catch-ups
   * do not wait. If the turn goes to a catch-up farther back, the pause is at least `#owedInRound`, up to
   * `LONGEST_ROUND_PAUSE_MS`.
   */
  takePause(): number {
    const pause = this.share.takePause();
    const goesBack = this.#holder !== null && this.#holder.at < this.#reached;
    const pauseOfRound = goesBack ? Math.min(this.#owedInRound, LONGEST_ROUND_PAUSE_MS) : 0;
    this.#owedInRound = (goesBack ? 0 : this.#owedInRound) + pause;
    return this.#catchUps > FEW_CATCH_UPS ? Math.max(pause, pauseOfRound) : 0;
  }

  /** How many catch-ups of the client have the turn or wait for it. Merged catch-ups count one by one. */
  get #catchUps(): number {
    return this.#waiting.reduce(
      (sum, { subscription }) => sum + subscription.count,
      this.#holder?.count ?? 0,
    );
  }

  /**
   * Waits until the subscription has the turn. Then calls `sendPage` until it resolves with false, or until a
   * waiting subscription is nearer to the newest fact. If the subscription can be merged into a waiting one, the
   * two are merged at once.
   */
  async take(subscription: Subscription, sendPage: () => Promise<boolean>): Promise<void> {
    const like = this.#waiting.find((waiting) => canMerge(waiting.subscription, subscription));
    if (like !== undefined) return this.#connection.merge(like.subscription, subscription);
    if (this.#holder === null) this.#holder = subscription;
    else await new Promise<void>((begin) => this.#waiting.push({ subscription, begin }));
    // A subscription that does not have the turn now was merged into another subscription while it waited.
    if (this.#holder !== subscription) return;
    try {
      while (await sendPage()) {
        this.#mergeWaitingInto(subscription);
        if (this.#waiting.some((waiting) => waiting.subscription.at > subscription.at)) break;
      }
    } finally {
      this.#reached = subscription.at;
      this.#handOver();
    }
  }

  #mergeWaitingInto(subscription: Subscription): void {
    for (const waiting of this.#waiting.filter((each) => canMerge(each.subscription, subscription))) {
      this.#connection.merge(subscription, waiting.subscription);
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      waiting.begin();
    }
  }

  #handOver(): void {
    const nearestFirst = this.#waiting.toSorted(
      (left, right) => right.subscription.at - left.subscription.at,
    );
    const [first, ...others] = nearestFirst;
    this.#holder = first?.subscription ?? null;
    this.#waiting = others;
    first?.begin();
  }
}

/** `false` for a waiting subscription without channels: the client has unsubscribed, and the connection dropped it. */
function canMerge(waiting: Subscription, { at, conflate }: Subscription): boolean {
  return waiting.channels.size > 0 && waiting.at === at && waiting.conflate === conflate;
}
