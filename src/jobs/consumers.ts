/** The consumers that this instance works on, each in a loop of its own. */
import {
  consumerDefinition,
  type ConsumerHandler,
  type ConsumerOptions,
} from '../usecases/consumers/options';
import { createConsumerWorker, type ConsumerWorker } from '../usecases/consumers/consumer-worker';
import { registerConsumer } from '../usecases/consumers/tenure';
import { watchConsumers } from '../usecases/consumers/watch-consumers';
import type { Context } from '../usecases/context';
import { newLeaseOwner } from '../usecases/lease-owner';
import type { LocalEventMap } from '../domain/events';
import { withinTime } from '../ports/time-limit';
import { realTimers, type Timers } from '../ports/timers';
import { createLoop, type Loop } from './loop';

const POLL_MS = 1_000;
const WATCH_MS = 60_000;
/**
 * How long a handler may take after it was told to stop. After that, the lease of the consumer ends by itself.
 */
const LONGEST_STOP_MS = 10_000;

/** A consumer on this instance. */
export interface ConsumerHandle {
  readonly name: string;
  /**
   * Ends the work of this instance. A fact that is being handled is finished first, for at most ten seconds.
   */
  stop(): Promise<void>;
}

export interface Consumers {
  /**
   * Stores the consumer if it is new, then begins to work. @throws TypeError when this instance already works
   * on a consumer of that name.
   */
  consume(name: string, handler: ConsumerHandler, options?: ConsumerOptions): Promise<ConsumerHandle>;
  /** Begins to look for alarms. */
  start(): void;
  /** Runs all consumers until each has handled what it can. */
  runOnce(): Promise<void>;
  stop(): Promise<void>;
}

export interface ConsumersOptions {
  context: Context;
  relay: { follow(onNews: () => void): () => void };
  onParked: (parked: LocalEventMap['consumer.parked']) => void;
  timers?: Timers;
}

interface Working {
  worker: ConsumerWorker;
  loop: Loop;
  unfollow: () => void;
}

export function createConsumers({
  context,
  relay,
  onParked,
  timers = realTimers,
}: ConsumersOptions): Consumers {
  const { clock, logger } = context;
  const working = new Map<string, Working>();
  const owner = newLeaseOwner(context.random);
  const watch = createLoop({
    name: 'consumers',
    intervalMs: WATCH_MS,
    run: async () => {
      await watchConsumers(context);
      return false;
    },
    clock,
    logger,
    timers,
  });

  function begin(definition: ReturnType<typeof consumerDefinition>): Working {
    const { name } = definition;
    const worker = createConsumerWorker(
      {
        context,
        timers,
        wake: () => loop.wake(),
        onParked(parked) {
          onParked(parked);
          watch.wake();
        },
      },
      definition,
      owner,
    );
    const loop = createLoop({
      name: `consumer ${name}`,
      intervalMs: POLL_MS,
      run: async (signal) => {
        await worker.run(signal);
        return false;
      },
      clock,
      logger,
      timers,
    });
    const unfollow = relay.follow(() => loop.wake());
    loop.start();
    return { worker, loop, unfollow };
  }

  async function stop(name: string): Promise<void> {
    const consumer = working.get(name);
    if (consumer === undefined) return;
    consumer.unfollow();
    try {
      await withinTime(timers, LONGEST_STOP_MS, consumer.loop.stop());
      await consumer.worker.end();
    } catch (err) {
      logger.warn({ err, consumer: name }, 'a consumer did not stop in order; its lease ends by itself');
    }
    working.delete(name);
  }

  return {
    async consume(name, handler, options) {
      const definition = consumerDefinition(name, handler, options);
      if (working.has(name)) throw new TypeError(`consume: this instance already has a consumer ${name}`);
      await registerConsumer(context, definition);
      if (working.has(name)) throw new TypeError(`consume: this instance already has a consumer ${name}`);
      working.set(name, begin(definition));
      return { name, stop: () => stop(name) };
    },
    start: () => watch.start(),
    async runOnce() {
      await Promise.all([...working.values()].map(({ loop }) => loop.runNow()));
      await watch.runNow();
    },
    async stop() {
      await Promise.all([...working.keys()].map(stop));
      await watch.stop();
    },
  };
}
