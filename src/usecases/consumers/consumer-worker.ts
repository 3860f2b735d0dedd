/**
 * Runs a consumer on one instance. The worker becomes the owner of the consumer when no other instance owns the
 * consumer, and handles facts as long as it is the owner.
 */
import { isEventPositionError } from '../../domain/event-position';
import { isAhead } from '../../domain/instants';
import { steadyNow } from '../../ports/clock';
import type { ConsumerDefinition } from './options';
import { OwnedConsumer, type WorkerDependencies } from './owned-consumer';
import { beginTenure, type NoTenure } from './tenure';

/** How long an instance that could not become the owner waits before the next try. After `removed` there is none. */
const RETRY_MS = 3_000;

export interface ConsumerWorker {
  /** Handles the facts that can be handled now. Calls must not overlap. */
  run(stopping: AbortSignal): Promise<void>;
  /** Gives up the ownership, so that another instance can become the owner. */
  end(): Promise<void>;
}

export function createConsumerWorker(
  dependencies: WorkerDependencies,
  definition: ConsumerDefinition,
  owner: string,
): ConsumerWorker {
  const { context } = dependencies;
  const { clock, logger } = context;
  const { name } = definition;
  let owned: OwnedConsumer | null = null;
  let notBefore = -Infinity;
  let obstacle: NoTenure | null = null;

  async function begin(): Promise<OwnedConsumer | null> {
    const [now, beganAt] = [clock.now(), steadyNow(clock)];
    if (obstacle === 'removed' || isAhead(notBefore, now, RETRY_MS) || !context.clockIsSteady()) return null;
    const begun = await beginTenure(context, { name, owner });
    report(typeof begun === 'string' ? begun : null);
    if (typeof begun !== 'string') return new OwnedConsumer(dependencies, definition, begun, beganAt);
    notBefore = now + RETRY_MS;
    return null;
  }

  /**
   * Logs an obstacle that differs from the obstacle of the last attempt. `busy` is not logged, because another
   * instance runs the consumer then.
   */
  function report(met: NoTenure | null): void {
    if (met !== obstacle && met !== null && met !== 'busy')
      logger.error({ consumer: name, reason: met }, 'a consumer has stopped');
    obstacle = met;
  }

  return {
    async run(stopping) {
      owned ??= await begin();
      if (owned === null) return;
      try {
        await owned.run(stopping);
      } catch (error) {
        if (!isEventPositionError(error)) throw error;
        // `begin` meets the same obstacle at the next run, and reports it.
        await owned.end();
      } finally {
        if (owned.isLost) owned = null;
      }
    },
    async end() {
      await owned?.end();
      owned = null;
    },
  };
}
