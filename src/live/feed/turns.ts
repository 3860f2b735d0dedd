/**
 * The turns of one connection, whose catch-ups get one page at a time. The catch-up nearest to the newest fact goes
 * first. The others wait meanwhile, and those at the same position become one. So a client that subscribes a thousand
 * times gets each page a few times, and not a thousand times.
 */
import type { Clock } from '../../ports/clock';
import { FairShare } from './fair-share';
import type { Subscription } from './subscription';

/** So many catch-ups of one connection run at full speed. */
const FEW_CATCH_UPS = 8;
/** The longest pause of a connection with many catch-ups before it gets facts again that it has got on other channels. */
const LONGEST_ROUND_PAUSE_MS = 250;

/** The connection, as its turns use it. */
export interface Merging {
  merge(into: Subscription, from: Subscription): void;
}

interface Waiting {
  subscription: Subscription;
  begin(): void;
}

export class Turns<Connection extends Merging> {
  readonly share: FairShare;
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #holder: Subscription | null = null;
  /** How far the subscription has come that had the turn last. */
  #reached = 0;
  /** The pauses since a subscription began farther back than the one before it. */
  #owedInRound = 0;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.share = new FairShare(clock);
  }

  /**
   * How long the subscription with the turn waits before its next page. A connection with a few catch-ups does not wait,
   * because it has to read faster than new facts come. A connection with many gets its fair share of the time, and
   * waits once more as long before it gets facts again that it has got on other channels.
   */
  takePause(): number {
    const pause = this.share.takePause();
    const goesBack = this.#holder !== null && this.#holder.at < this.#reached;
    const pauseOfRound = goesBack ? Math.min(this.#owedInRound, LONGEST_ROUND_PAUSE_MS) : 0;
    this.#owedInRound = (goesBack ? 0 : this.#owedInRound) + pause;
    return this.#catchUps > FEW_CATCH_UPS ? Math.max(pause, pauseOfRound) : 0;
  }

  /** The subscriptions of the client that have the turn or wait for it. */
  get #catchUps(): number {
    return this.#waiting.reduce(
      (sum, { subscription }) => sum + subscription.count,
      this.#holder?.count ?? 0,
    );
  }

  /**
   * Takes steps when the subscription has the turn, until a step resolves with false or another subscription is nearer
   * to the newest fact. Of two subscriptions at one position, one becomes a part of the other.
   */
  async take(subscription: Subscription, step: () => Promise<boolean>): Promise<void> {
    const like = this.#waiting.find((waiting) => isAlike(waiting.subscription, subscription));
    if (like !== undefined) return this.#connection.merge(like.subscription, subscription);
    if (this.#holder === null) this.#holder = subscription;
    else await new Promise<void>((begin) => this.#waiting.push({ subscription, begin }));
    // It has become a part of another one.
    if (this.#holder !== subscription) return;
    try {
      while (await step()) {
        this.#takeIn(subscription);
        if (this.#waiting.some((waiting) => waiting.subscription.at > subscription.at)) break;
      }
    } finally {
      this.#reached = subscription.at;
      this.#handOver();
    }
  }

  /** Makes those that wait at the position of the subscription a part of it. */
  #takeIn(subscription: Subscription): void {
    for (const waiting of this.#waiting.filter((each) => isAlike(each.subscription, subscription))) {
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
 * Whether the subscription may become a part of the one that waits. One without channels was unsubscribed, and its
 * connection has forgotten it.
 */
function isAlike(waiting: Subscription, { at, conflate }: Subscription): boolean {
  return waiting.channels.size > 0 && waiting.at === at && waiting.conflate === conflate;
}
