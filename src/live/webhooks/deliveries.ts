/** The tasks that deliver, one for each webhook, so that a slow receiver does not delay the other webhooks. */
import { isDue } from '../../domain/webhooks';
import type { Context } from '../../usecases/context';
import { follow, type FollowerDependencies } from './follower';
import type { Followed, Tenure } from './tenure';

export interface Deliveries {
  /**
   * Begins the task of the webhook, if a delivery is due. A task that runs already checks once more for
   * facts.
   */
  kick(tenure: Tenure, followed: Followed): void;
  ended(): Promise<void>;
}

export interface DeliveryDependencies {
  context: Pick<Context, 'clock' | 'clockIsSteady' | 'logger'>;
  isEnding(tenure: Tenure): boolean;
  followerOf(tenure: Tenure): FollowerDependencies;
  /** Called when the row of a webhook has to be read anew. */
  onStale(): void;
}

export function createWebhookDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const { context, isEnding, followerOf, onStale } = dependencies;
  const { clock, logger } = context;
  const tasks = new Set<Promise<void>>();

  async function deliver(tenure: Tenure, followed: Followed): Promise<void> {
    while (followed.hasNews && isDue(followed.webhook, clock.now()) && !isEnding(tenure)) {
      followed.hasNews = false;
      const end = await follow(followerOf(tenure), followed.webhook, followed.passedTo);
      if (end === null) {
        tenure.followed.delete(followed.webhook.id);
        return onStale();
      }
      // If the revision has not risen, the row in memory stays: `run` may have read it meanwhile, with newer
      // secrets.
      if (end.webhook.revision > followed.webhook.revision) followed.webhook = end.webhook;
      followed.passedTo = end.passedTo;
    }
  }

  return {
    kick(tenure, followed) {
      followed.hasNews = true;
      if (followed.task !== null || isEnding(tenure)) return;
      // The time is read before the clock is checked. If the clock has jumped before the reading, the check
      // notices the jump.
      if (!isDue(followed.webhook, clock.now()) || !context.clockIsSteady()) return;
      const task = deliver(tenure, followed)
        .catch((err: unknown) => {
          // Deliveries that were not stored are made again, from the position in the stored row on.
          tenure.followed.delete(followed.webhook.id);
          logger.warn({ err, webhook: followed.webhook.id }, 'the deliveries of a webhook begin anew');
        })
        .finally(() => {
          followed.task = null;
          tasks.delete(task);
        });
      followed.task = task;
      tasks.add(task);
    },
    async ended() {
      while (tasks.size > 0) await Promise.all(tasks);
    },
  };
}
