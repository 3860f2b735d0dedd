/** Delivers facts to one webhook, one after another. A failed attempt ends the run. */
import type { AnyPublishedEvent, NumberedFact } from '../../domain/events';
import type { EventPosition } from '../../domain/event-position';
import { failedAgain, movedTo, pastLost, wants, type Webhook } from '../../domain/webhooks';
import { webhookMessage, type WebhookMessage } from '../../events/webhook-message';
import { fractionOf } from '../../ports/random';
import type { Context } from '../../usecases/context';
import { messageIdOf } from '../../views/webhook';
import { attemptDelivery, type AttemptDependencies } from './attempt';
import { storeProgress, type WebhookProgress } from './progress';

/** The most deliveries of one webhook that are stored together. */
const DELIVERIES_AT_ONCE = 50;
const LONGEST_UNSTORED_MS = 1_000;
/**
 * Facts that the webhook does not want are passed over in memory. A run that has passed over this many stores the
 * position at its end.
 */
const UNSTORED_FACTS = 1_000;
const LONGEST_PASSED_OVER_MS = 10_000;

export interface FollowerDependencies extends AttemptDependencies {
  context: Pick<Context, 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger'>;
  owner: string;
  epoch: string;
  factsAfter(seq: number): Promise<NumberedFact[]>;
  expand(fact: NumberedFact): AnyPublishedEvent[];
  /** Whether no further message may be sent. */
  isEnding(): boolean;
  /** Aborts the message under way. */
  signal: AbortSignal;
  onDisabled(webhook: Webhook, position: EventPosition): void;
}

interface Run extends WebhookProgress {
  storedAt: number;
  /** Whether an operator has changed the row since this run read it, or another instance delivers. */
  isStale: boolean;
}

/**
 * Delivers facts. Resolves with the webhook and its position after these deliveries, or with `null` when its row has
 * to be read anew.
 */
export async function follow(
  dependencies: FollowerDependencies,
  webhook: Webhook,
  passedTo: number,
): Promise<{ webhook: Webhook; passedTo: number } | null> {
  const current = passedTo > webhook.seq ? movedTo(webhook, passedTo) : webhook;
  const storedAt = dependencies.clock.now();
  const run: Run = { stored: webhook, current, deliveries: [], storedAt, isStale: false };
  for (;;) {
    const facts = dependencies.isEnding() ? [] : await dependencies.factsAfter(run.current.seq);
    if (facts.length === 0 || !(await passPage(dependencies, run, facts))) break;
  }
  if (!run.isStale && isWorthStoring(dependencies, run)) await store(dependencies, run);
  return run.isStale ? null : { webhook: run.stored, passedTo: run.current.seq };
}

/** Delivers the facts that the webhook wants, and passes over the others. `false` when the run has to end. */
async function passPage(
  dependencies: FollowerDependencies,
  run: Run,
  facts: readonly NumberedFact[],
): Promise<boolean> {
  for (const fact of facts) {
    if (dependencies.isEnding()) return false;
    if (fact.seq > run.current.seq + 1) noteLost(dependencies, run, fact.seq - 1);
    const message = webhookMessage(dependencies.expand(fact));
    if (message === null || !wants(run.current, message.event)) run.current = movedTo(run.current, fact.seq);
    else if (!(await deliver(dependencies, run, fact.seq, message))) return false;
  }
  return true;
}

/** `false` when the run has to end. */
async function deliver(
  dependencies: FollowerDependencies,
  run: Run,
  seq: number,
  message: WebhookMessage,
): Promise<boolean> {
  const { context, clock, epoch, signal } = dependencies;
  const { current } = run;
  const attempt = await attemptDelivery(dependencies, current, messageIdOf({ epoch, seq }), message, signal);
  if (attempt === null) return false;
  const { record, failure } = attempt;
  // After a jump of the clock, the endpoint may seem to have failed for days. So the failure does not count.
  if (failure !== null && !context.clockIsSteady()) return false;
  const outcome = failure === null ? 'delivered' : 'failed';
  run.deliveries.push({
    epoch,
    seq,
    event: message.event,
    attempt: current.failures + 1,
    outcome,
    ...record,
  });
  if (failure !== null) {
    run.current = failedAgain(current, failure, clock.now(), fractionOf(context.random));
    await store(dependencies, run);
    return false;
  }
  run.current = movedTo(current, seq);
  const isTime =
    run.deliveries.length >= DELIVERIES_AT_ONCE || clock.now() - run.storedAt >= LONGEST_UNSTORED_MS;
  return isTime ? store(dependencies, run) : true;
}

function noteLost({ clock, context, epoch }: FollowerDependencies, run: Run, to: number): void {
  const { id, seq } = run.current;
  const from = seq + 1;
  const error = `facts ${from} to ${to} were removed because of their age before they were delivered`;
  context.logger.error({ webhook: id, from, to }, error);
  run.current = pastLost(run.current, { from, to });
  run.deliveries.push({
    epoch,
    seq: to,
    event: null,
    attempt: 0,
    outcome: 'lost',
    attemptedAt: clock.now(),
    durationMs: 0,
    responseStatus: null,
    responseBody: null,
    error,
  });
}

function isWorthStoring({ clock, isEnding }: FollowerDependencies, run: Run): boolean {
  const { stored, current, deliveries } = run;
  const passedOver = current.seq - stored.seq;
  if (deliveries.length > 0 || passedOver >= UNSTORED_FACTS) return true;
  return passedOver > 0 && (isEnding() || clock.now() - stored.updatedAt >= LONGEST_PASSED_OVER_MS);
}

/** `false`: the row has to be read anew. */
async function store(dependencies: FollowerDependencies, run: Run): Promise<boolean> {
  const { context, clock, owner, epoch } = dependencies;
  const { result, webhook } = await storeProgress(context, owner, run);
  run.isStale = result !== 'stored';
  if (run.isStale) return false;
  const isDisabledNow = run.stored.status === 'enabled' && webhook.status === 'disabled';
  Object.assign(run, { stored: webhook, current: webhook, deliveries: [], storedAt: clock.now() });
  if (isDisabledNow) {
    context.logger.warn({ webhook: webhook.id, reason: webhook.disabledReason }, 'a webhook is disabled');
    dependencies.onDisabled(webhook, { epoch, seq: webhook.seq });
  }
  return true;
}
