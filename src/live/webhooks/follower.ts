/** Delivers facts to one webhook, one after another, until no fact is left or an attempt fails. */
import type { AnyPublishedEvent } from '../../domain/events';
import type { EventPosition } from '../../domain/event-position';
import { failedAgain, movedTo, pastLost, wants, type Webhook } from '../../domain/webhooks';
import { webhookMessage, type WebhookMessage } from '../../events/webhook-message';
import { fractionOf } from '../../ports/random';
import type { Context } from '../../usecases/context';
import type { Fact } from '../../usecases/facts/read-facts';
import { messageIdOf } from '../../views/webhook';
import { attemptDelivery, type AttemptDependencies } from './attempt';
import { storeProgress, type Progress } from './progress';

/** How many deliveries are stored together while one follows the other. */
const DELIVERIES_AT_ONCE = 50;
const LONGEST_UNSTORED_MS = 1_000;
/** Facts that the webhook does not want are passed over in memory. After this many, the position is stored. */
const UNSTORED_FACTS = 1_000;
const LONGEST_PASSED_OVER_MS = 10_000;

export interface FollowerDependencies extends AttemptDependencies {
  context: Pick<Context, 'storage' | 'clock' | 'random' | 'logger'>;
  /** The owner of the lease. */
  owner: string;
  epoch: string;
  /** A page of stored facts after this number, in order. */
  factsAfter(seq: number): Promise<Fact[]>;
  expand(fact: Fact): AnyPublishedEvent[];
  /** Whether no further message may be sent. */
  isEnding(): boolean;
  /** Aborted to call off the message under way. */
  signal: AbortSignal;
  onDisabled(webhook: Webhook, position: EventPosition): void;
}

/**
 * Delivers. Resolves with the webhook from which to continue, or with `null` when its row has to be read anew.
 */
export async function follow(
  dependencies: FollowerDependencies,
  webhook: Webhook,
  passedTo: number,
): Promise<{ webhook: Webhook; passedTo: number } | null> {
  const run = createRun(dependencies, webhook, passedTo);
  for (;;) {
    const facts = dependencies.isEnding() ? [] : await dependencies.factsAfter(run.position());
    if (facts.length === 0) break;
    if (!(await run.passPage(facts))) break;
  }
  return run.end();
}

function createRun(dependencies: FollowerDependencies, webhook: Webhook, passedTo: number) {
  const { context, epoch } = dependencies;
  const { clock, logger } = context;
  const current = passedTo > webhook.seq ? movedTo(webhook, passedTo) : webhook;
  const progress: Progress = { stored: webhook, current, deliveries: [] };
  let storedAt = clock.now();
  let isStale = false;

  async function store(): Promise<boolean> {
    const wasEnabled = progress.stored.status === 'enabled';
    const { result, webhook: row } = await storeProgress(context, dependencies.owner, progress);
    isStale = result !== 'stored';
    if (isStale) return false;
    Object.assign(progress, { stored: row, current: row, deliveries: [] });
    storedAt = clock.now();
    if (wasEnabled && row.status === 'disabled') {
      logger.warn({ webhook: row.id, reason: row.disabledReason }, 'a webhook is disabled');
      dependencies.onDisabled(row, { epoch, seq: row.seq });
    }
    return true;
  }

  function noteLost(to: number): void {
    const from = progress.current.seq + 1;
    progress.current = pastLost(progress.current, { from, to });
    const error = `facts ${from} to ${to} were removed because of their age before they were delivered`;
    logger.error({ webhook: webhook.id, from, to }, error);
    const none = { durationMs: 0, responseStatus: null, responseBody: null };
    const attemptedAt = clock.now();
    progress.deliveries.push({
      ...none,
      ...{ epoch, seq: to, event: null, attempt: 0, outcome: 'lost', attemptedAt, error },
    });
  }

  /** Delivers one fact. `false` when the run has to end. */
  async function deliver(seq: number, message: WebhookMessage): Promise<boolean> {
    const { current } = progress;
    const id = messageIdOf({ epoch, seq });
    const attempt = await attemptDelivery(dependencies, current, id, message, dependencies.signal);
    if (attempt === null) return false;
    const { record, failure } = attempt;
    progress.deliveries.push({
      ...{ epoch, seq, event: message.event, attempt: current.failures + 1 },
      ...{ outcome: failure === null ? 'delivered' : 'failed', ...record },
    });
    if (failure === null) {
      progress.current = movedTo(current, seq);
      const isTime =
        progress.deliveries.length >= DELIVERIES_AT_ONCE || clock.now() - storedAt >= LONGEST_UNSTORED_MS;
      return isTime ? store() : true;
    }
    progress.current = failedAgain(current, failure, clock.now(), fractionOf(context.random));
    await store();
    return false;
  }

  return {
    position: () => progress.current.seq,
    /** Delivers the facts of a page. `false` when the run has to end. */
    async passPage(facts: readonly Fact[]): Promise<boolean> {
      for (const fact of facts) {
        if (dependencies.isEnding()) return false;
        if (fact.seq > progress.current.seq + 1) noteLost(fact.seq - 1);
        const message = webhookMessage(dependencies.expand(fact));
        if (message === null || !wants(progress.current, message.event))
          progress.current = movedTo(progress.current, fact.seq);
        else if (!(await deliver(fact.seq, message))) return false;
      }
      return true;
    },
    async end(): Promise<{ webhook: Webhook; passedTo: number } | null> {
      const { stored, current, deliveries } = progress;
      const unstored = current.seq - stored.seq;
      const isTime =
        deliveries.length > 0 ||
        unstored >= UNSTORED_FACTS ||
        (unstored > 0 &&
          (dependencies.isEnding() || clock.now() - stored.updatedAt >= LONGEST_PASSED_OVER_MS));
      if (!isStale && isTime) await store();
      return isStale ? null : { webhook: progress.stored, passedTo: progress.current.seq };
    },
  };
}
