/**
 * A catch-up sends the facts that a subscription has missed. This class orders the catch-ups of one
 * connection. One catch-up has the turn and gets its next page, and the others wait. The turn goes to the
 * catch-up nearest to the newest fact. Catch-ups at the same position are merged. So a client that subscribes
 * a thousand times gets each page a few times instead of a thousand times.
 */
import type { Clock } from '../../ports/clock';
import { FairShare } from './fair-share';
import type { Subscription } from './subscription';

/** Up to this many catch-ups of one connection run without pauses. */
const FEW_CATCH_UPS = 8;
/**
 * A round ends when the turn goes to a catch-up farther back than the catch-up before. A connection with many
 * catch-ups then gets facts again that it has already got on other channels. This is the longest pause before
 * the next round.
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
  /** The pauses of the present round in milliseconds. */
  #owedInRound = 0;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.share = new FairShare(clock);
  }

  /**
   * How long the subscription with the turn waits before its next page. A connection with a few catch-ups
   * does not wait, because it has to read faster than new facts come. A connection with many catch-ups gets
   * its fair share of the time. Before each new round it waits as long as the pauses of the last round took
   * together, up to `LONGEST_ROUND_PAUSE_MS`.
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
   * waiting subscription is nearer to the newest fact. A subscription at the position of a waiting one is
   * merged into it at once.
   */
  async take(subscription: Subscription, sendPage: () => Promise<boolean>): Promise<void> {
    const like = this.#waiting.find((waiting) => canMerge(waiting.subscription, subscription));
    if (like !== undefined) return this.#connection.merge(like.subscription, subscription);
    if (this.#holder === null) this.#holder = subscription;
    else await new Promise<void>((begin) => this.#waiting.push({ subscription, begin }));
    // Without the turn now, the subscription was merged into another one while it waited.
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

/**
 * Whether the two subscriptions can be merged. A waiting subscription without channels was unsubscribed, and
 * the connection has already dropped it.
 */
function canMerge(waiting: Subscription, { at, conflate }: Subscription): boolean {
  return waiting.channels.size > 0 && waiting.at === at && waiting.conflate === conflate;
}
