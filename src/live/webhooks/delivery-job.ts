/**
 * Delivers facts to webhooks. One instance at a time delivers, under a lease. Each webhook has a task of its
 * own, so a slow endpoint does not delay the other webhooks.
 */
import type { LocalEvent } from '../../domain/events';
import { isDue, type Webhook } from '../../domain/webhooks';
import { createPoster, type Poster } from '../../outbound/post';
import type { Reader } from '../../ports/storage';
import { awaitedTimers, type Timers } from '../../ports/timers';
import type { Context } from '../../usecases/context';
import { EPOCH_SETTING } from '../../usecases/facts/read-facts';
import { newLeaseOwner } from '../../usecases/lease-owner';
import { isoTime } from '../../views/format';
import { expandOrSkip, type Relay } from '../relay';
import { reportWebhooks } from './alarms';
import { createFactPages } from './fact-pages';
import { follow, type FollowerDependencies } from './follower';
import { takeLease, WEBHOOK_LEASE, WEBHOOK_LEASE_MS } from './progress';

/** The highest limit that the option `webhooks.limit` allows. */
const MOST_WEBHOOKS = 100;
/** Only the beginning of an answer is kept. If an answer is longer than this, its connection is closed. */
const LONGEST_ANSWER_BYTES = 16_384;
/** How long a message that is under way may take when the instance is closed. */
const LAST_MESSAGE_MS = 3_000;

export interface WebhookJob {
  /** Reads all webhooks, and begins to deliver where a fact is due. */
  run(): Promise<boolean>;
  /**
   * Called when an operator has changed a webhook. Then this instance sends no further message until `run`
   * has read the webhooks anew.
   */
  changed(): void;
  /** Registers the one listener of hints that there is work: the loop that calls `run`. */
  onWake(listener: () => void): void;
  /** Resolves when no task of a webhook is running. */
  ended(): Promise<void>;
  /**
   * Waits for the messages under way, and calls them off after three seconds. Stores the progress of each
   * webhook, and gives the lease back.
   */
  stop(): Promise<void>;
}

export interface WebhookJobOptions {
  context: Pick<Context, 'config' | 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger' | 'alarms'>;
  relay: Pick<Relay, 'follow'>;
  /**
   * Default: a poster that posts to the public internet only, unless the option `webhooks.allowPrivate` is
   * set.
   */
  poster?: Poster;
  publish(event: LocalEvent): void;
  timers?: Timers;
}

/** What this instance knows of a webhook while it delivers to it. */
interface Followed {
  webhook: Webhook;
  /**
   * The facts up to this number need no delivery any more. The number may be ahead of the stored position.
   */
  passedTo: number;
  task: Promise<void> | null;
  /** Whether there may be new facts since the task last looked. */
  hasNews: boolean;
}

/** The time in which this instance delivers: from taking the lease until losing it. */
interface Term {
  epoch: string;
  leasedAt: number;
  isOver: boolean;
  followed: Map<number, Followed>;
  unfollow: () => void;
}

export function createWebhookJob(options: WebhookJobOptions): WebhookJob {
  const { context, relay, publish, timers = awaitedTimers } = options;
  const { allowPrivate } = context.config.webhooks;
  const poster = options.poster ?? createPoster({ allowPrivate, longestAnswerBytes: LONGEST_ANSWER_BYTES });
  const { storage, clock, logger } = context;
  const owner = newLeaseOwner(context.random);
  const pages = createFactPages(storage);
  const stopping = new AbortController();
  const tasks = new Set<Promise<void>>();
  let isStopping = false;
  let isOutdated = false;
  let term: Term | null = null;
  let wakeUp = (): void => undefined;

  function endTerm(): void {
    if (term === null) return;
    term.isOver = true;
    term.unfollow();
    term = null;
  }

  /** The term of this instance. `null`: another instance delivers, or no webhook is enabled. */
  async function termFor(webhooks: readonly Webhook[], epoch: string): Promise<Term | null> {
    const now = clock.now();
    if (!webhooks.some(({ status }) => status === 'enabled')) {
      endTerm();
      return null;
    }
    if (term !== null && term.epoch === epoch && isLeased(term, now, WEBHOOK_LEASE_MS / 3)) return term;
    const lease = await storage.transaction((transaction) => takeLease(transaction, owner, now));
    if (lease === null || term?.epoch !== epoch) endTerm();
    if (lease === null) return null;
    term ??= newTerm(epoch);
    term.leasedAt = now;
    return term;
  }

  function newTerm(epoch: string): Term {
    const made: Term = { epoch, leasedAt: 0, isOver: false, followed: new Map(), unfollow: () => undefined };
    made.unfollow = relay.follow(() => {
      pages.refresh();
      for (const followed of made.followed.values()) kick(made, followed);
    });
    return made;
  }

  function kick(current: Term, followed: Followed): void {
    followed.hasNews = true;
    if (followed.task !== null || isEnding(current)) return;
    // The time is read before the clock is checked. If the clock has jumped before the reading, the check
    // notices the jump.
    if (!isDue(followed.webhook, clock.now()) || !context.clockIsSteady()) return;
    const task = deliver(current, followed)
      .catch((err: unknown) => {
        // Deliveries that were not stored are made again, from the position in the stored row on.
        current.followed.delete(followed.webhook.id);
        logger.warn({ err, webhook: followed.webhook.id }, 'the deliveries of a webhook begin anew');
      })
      .finally(() => {
        followed.task = null;
        tasks.delete(task);
      });
    followed.task = task;
    tasks.add(task);
  }

  async function deliver(current: Term, followed: Followed): Promise<void> {
    while (followed.hasNews && isDue(followed.webhook, clock.now()) && !isEnding(current)) {
      followed.hasNews = false;
      const end = await follow(followerOf(current), followed.webhook, followed.passedTo);
      if (end === null) {
        current.followed.delete(followed.webhook.id);
        return wakeUp();
      }
      // If the revision has not risen, the row in memory stays: `run` may have read it meanwhile, with newer
      // secrets.
      if (end.webhook.revision > followed.webhook.revision) followed.webhook = end.webhook;
      followed.passedTo = end.passedTo;
    }
  }

  /**
   * An instance that was suspended may have lost the lease without knowing it, so the age of the lease counts
   * too.
   */
  const isEnding = (current: Term): boolean =>
    isStopping || isOutdated || current.isOver || !isLeased(current, clock.now(), WEBHOOK_LEASE_MS);

  const followerOf = (current: Term): FollowerDependencies => ({
    ...{ context, poster, clock, timers, owner, epoch: current.epoch },
    factsAfter: pages.after,
    expand: (fact) => expandOrSkip(fact, logger),
    isEnding: () => isEnding(current),
    signal: stopping.signal,
    onDisabled({ id, disabledReason }, position) {
      const data = { webhookId: id, ...position, reason: disabledReason ?? '' };
      publish({ event: 'webhook.disabled', ts: isoTime(clock.now()), data });
      wakeUp();
    },
  });

  async function ended(): Promise<void> {
    while (tasks.size > 0) await Promise.all(tasks);
  }

  return {
    async run() {
      isOutdated = false;
      const { webhooks, epoch, oldest } = await storage.read(readAll).catch((error: unknown) => {
        isOutdated = true;
        throw error;
      });
      reportWebhooks(context.alarms, webhooks, oldest);
      const current = isStopping ? null : await termFor(webhooks, epoch);
      if (current === null) return false;
      followRows(current, webhooks);
      pages.refresh();
      for (const followed of current.followed.values()) kick(current, followed);
      return false;
    },
    changed() {
      isOutdated = true;
      wakeUp();
    },
    onWake: (listener) => (wakeUp = listener),
    ended,
    async stop() {
      isStopping = true;
      const callOff = timers.after(LAST_MESSAGE_MS, () => stopping.abort());
      await ended();
      callOff();
      const hadTerm = term !== null;
      endTerm();
      poster.close();
      if (!hadTerm) return;
      await storage
        .transaction(({ leases }) => leases.release({ name: WEBHOOK_LEASE, owner }))
        .catch((err: unknown) => logger.warn({ err }, 'the lease of the webhooks was not given back'));
    },
  };
}

/**
 * Whether the lease was taken less than `forMs` ago. `false` also after the clock was set back, because the
 * age of the lease is then not known.
 */
function isLeased({ leasedAt }: Term, now: number, forMs: number): boolean {
  return now >= leasedAt && now - leasedAt < forMs;
}

async function readAll(
  reader: Reader,
): Promise<{ webhooks: Webhook[]; epoch: string; oldest: number | null }> {
  const { webhooks } = await reader.webhooks.list({ limit: MOST_WEBHOOKS, offset: 0 });
  if (webhooks.length === 0) return { webhooks, epoch: '', oldest: null };
  const isAnyDisabled = webhooks.some(({ status }) => status === 'disabled');
  const [first] = isAnyDisabled ? await reader.events.after(0, 1) : [];
  const epoch = (await reader.settings.get(EPOCH_SETTING)) ?? '';
  return { webhooks, epoch, oldest: first?.seq ?? null };
}

/**
 * Takes over the rows as operators have changed them. A running task notices the change when it stores its
 * progress.
 */
function followRows({ followed }: Term, webhooks: readonly Webhook[]): void {
  const ids = new Set(webhooks.map(({ id }) => id));
  for (const [id, { task }] of followed) if (!ids.has(id) && task === null) followed.delete(id);
  for (const webhook of webhooks) {
    const known = followed.get(webhook.id);
    if (known === undefined)
      followed.set(webhook.id, { webhook, passedTo: webhook.seq, task: null, hasNews: false });
    else if (known.webhook.revision === webhook.revision) known.webhook = webhook;
    else if (known.task === null && webhook.revision > known.webhook.revision)
      Object.assign(known, { webhook, passedTo: webhook.seq });
  }
}
