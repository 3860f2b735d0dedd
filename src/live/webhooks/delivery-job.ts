/** Delivers facts to webhooks. One instance at a time delivers, under a lease. */
import type { LocalEvent } from '../../domain/events';
import type { EventPosition } from '../../domain/event-position';
import type { Webhook } from '../../domain/webhooks';
import { createPoster, type Poster } from '../../outbound/post';
import type { Reader } from '../../ports/storage';
import { awaitedTimers, type Timers } from '../../ports/timers';
import type { Context } from '../../usecases/context';
import { EPOCH_SETTING } from '../../usecases/facts/read-facts';
import { newLeaseOwner } from '../../usecases/lease-owner';
import { isoTime } from '../../views/format';
import { expandOrSkip, type Relay } from '../relay';
import { reportWebhooks } from './alarms';
import { createFactPages, type FactPages } from './fact-pages';
import { createWebhookDeliveries } from './deliveries';
import type { FollowerDependencies } from './follower';
import { WEBHOOK_LEASE, WEBHOOK_LEASE_MS } from './progress';
import { createTenures, followRows, isStillHeld, type Tenure } from './tenure';

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
  ended(): Promise<void>;
  /**
   * Waits for the messages under way, and aborts them after three seconds. Stores the progress of each webhook, and
   * releases the lease.
   */
  stop(): Promise<void>;
}

export interface WebhookJobOptions {
  context: Pick<Context, 'config' | 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger' | 'alarms'>;
  relay: Pick<Relay, 'follow'>;
  /**
   * Default: a poster that posts to the public internet, and with the option `webhooks.allowPrivate` also to private
   * addresses.
   */
  poster?: Poster;
  publish(event: LocalEvent): void;
  timers?: Timers;
}

export function createWebhookJob(options: WebhookJobOptions): WebhookJob {
  const { context, relay, timers = awaitedTimers } = options;
  const { storage, clock } = context;
  const poster = options.poster ?? usualPoster(context);
  const owner = newLeaseOwner(context.random);
  const pages = createFactPages(storage);
  const stopping = new AbortController();
  let isStopping = false;
  let isOutdated = false;
  let wakeUp = (): void => undefined;
  const wake = (): void => wakeUp();

  /** A suspended instance may have lost the lease without knowing it, so the age of the lease counts too. */
  const isEnding = (tenure: Tenure): boolean =>
    isStopping || isOutdated || tenure.isOver || !isStillHeld(tenure, clock.now(), WEBHOOK_LEASE_MS);
  const parts = followerParts({ ...options, timers, poster, owner, pages, signal: stopping.signal, wake });
  const followerOf = (tenure: Tenure): FollowerDependencies => ({
    ...parts,
    epoch: tenure.epoch,
    isEnding: () => isEnding(tenure),
  });
  const deliveries = createWebhookDeliveries({ context, isEnding, followerOf, onStale: wake });

  function onNews(tenure: Tenure): void {
    pages.refresh();
    for (const followed of tenure.followed.values()) deliveries.kick(tenure, followed);
  }
  const tenures = createTenures({ context, relay, owner, onNews });

  return {
    async run() {
      isOutdated = false;
      const { webhooks, epoch, oldest } = await storage.read(readAll).catch((error: unknown) => {
        isOutdated = true;
        throw error;
      });
      reportWebhooks(context.alarms, webhooks, oldest);
      const tenure = isStopping ? null : await tenures.tenureFor(webhooks, epoch);
      if (tenure === null) return false;
      followRows(tenure, webhooks);
      onNews(tenure);
      return false;
    },
    changed() {
      isOutdated = true;
      wake();
    },
    onWake: (listener) => (wakeUp = listener),
    ended: deliveries.ended,
    async stop() {
      isStopping = true;
      const cancel = timers.after(LAST_MESSAGE_MS, () => stopping.abort());
      await deliveries.ended();
      cancel();
      poster.close();
      if (tenures.end()) await giveBackLease(context, owner);
    },
  };
}

type FollowerParts = Omit<FollowerDependencies, 'epoch' | 'isEnding'>;

interface FollowerOptions extends WebhookJobOptions {
  poster: Poster;
  owner: string;
  pages: FactPages;
  timers: Timers;
  signal: AbortSignal;
  wake(): void;
}

function followerParts({ context, pages, publish, wake, ...given }: FollowerOptions): FollowerParts {
  const { clock, logger } = context;
  const { poster, owner, timers, signal } = given;
  return {
    ...{ context, clock, poster, owner, timers, signal },
    factsAfter: pages.after,
    expand: (fact) => expandOrSkip(fact, logger),
    onDisabled: (webhook, position) => {
      publish(disabledEvent(webhook, position, clock.now()));
      wake();
    },
  };
}

function usualPoster({ config }: Pick<Context, 'config'>): Poster {
  const { allowPrivate } = config.webhooks;
  return createPoster({ allowPrivate, longestAnswerBytes: LONGEST_ANSWER_BYTES });
}

function disabledEvent({ id, disabledReason }: Webhook, position: EventPosition, now: number): LocalEvent {
  const data = { webhookId: id, ...position, reason: disabledReason ?? '' };
  return { event: 'webhook.disabled', ts: isoTime(now), data };
}

async function giveBackLease(
  { storage, logger }: WebhookJobOptions['context'],
  owner: string,
): Promise<void> {
  await storage
    .transaction(({ leases }) => leases.release({ name: WEBHOOK_LEASE, owner }))
    .catch((err: unknown) => logger.warn({ err }, 'the lease of the webhooks was not given back'));
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
