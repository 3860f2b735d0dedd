/** The consumers that this instance works on, each in a loop of its own, and the loop that reports alarms. */
import {
  consumerDefinition,
  type ConsumerDefinition,
  type ConsumerHandler,
  type ConsumerOptions,
} from '../usecases/consumers/options';
import { createCallsUnderWay, type CallsUnderWay } from '../usecases/consumers/calls-under-way';
import { createConsumerWorker } from '../usecases/consumers/consumer-worker';
import { registerConsumer } from '../usecases/consumers/register-consumer';
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
 * How long a handler may take after its signal was aborted. After that, the lease of the consumer ends by
 * itself.
 */
const LONGEST_STOP_MS = 10_000;

/** A consumer on this instance. */
export interface ConsumerHandle {
  /** The name that `consume` was called with. */
  readonly name: string;
  /** Ends the work of this instance. Waits at most ten seconds for facts that are being handled. */
  stop(): Promise<void>;
}

export interface Consumers {
  /**
   * Stores the consumer if it is new, then begins to work.
   * @throws TypeError or RangeError for a wrong argument.
   * @throws TypeError when this instance already works on a consumer of that name.
   * @throws PredictionMarketError CONSUMER_LIMIT_REACHED when the consumer is new and 100 consumers are stored.
   */
  consume(name: string, handler: ConsumerHandler, options?: ConsumerOptions): Promise<ConsumerHandle>;
  /** Starts the loop that reports the alarms of consumers. */
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

export function createConsumers({
  context,
  relay,
  onParked,
  timers = realTimers,
}: ConsumersOptions): Consumers {
  const running = new Map<string, RunningConsumer>();
  const calls = createCallsUnderWay(context);
  const watch = watchLoop(context, timers, calls);
  const surroundings: Surroundings = {
    context,
    relay,
    timers,
    owner: newLeaseOwner(context.random),
    onParked(parked) {
      onParked(parked);
      watch.wake();
    },
  };

  function requireUnused(name: string): void {
    if (running.has(name)) throw new TypeError(`consume: this instance already has a consumer ${name}`);
  }

  async function stop(name: string): Promise<void> {
    await running.get(name)?.stop();
    running.delete(name);
  }

  return {
    async consume(name, handler, options) {
      const definition = consumerDefinition(name, handler, options);
      requireUnused(name);
      await registerConsumer(context, definition);
      requireUnused(name);
      running.set(name, runConsumer(surroundings, calls.watched(definition)));
      return { name, stop: () => stop(name) };
    },
    start: () => watch.start(),
    async runOnce() {
      await Promise.all([...running.values()].map((consumer) => consumer.runNow()));
      await watch.runNow();
    },
    async stop() {
      await Promise.all([...running.keys()].map(stop));
      await watch.stop();
    },
  };
}

function watchLoop(context: Context, timers: Timers, calls: CallsUnderWay): Loop {
  const run = async (): Promise<boolean> => {
    calls.report();
    await watchConsumers(context);
    return false;
  };
  const { clock, logger } = context;
  return createLoop({ name: 'consumers', intervalMs: WATCH_MS, run, clock, logger, timers });
}

interface Surroundings extends Required<ConsumersOptions> {
  /** The name of this instance in leases. */
  owner: string;
}

interface RunningConsumer {
  runNow(): Promise<unknown>;
  stop(): Promise<void>;
}

function runConsumer(
  { context, relay, timers, owner, onParked }: Surroundings,
  definition: ConsumerDefinition,
): RunningConsumer {
  const { clock, logger } = context;
  const { name } = definition;
  const wake = (): void => loop.wake();
  const worker = createConsumerWorker({ context, timers, wake, onParked }, definition, owner);
  const run = async (signal: AbortSignal): Promise<boolean> => {
    await worker.run(signal);
    return false;
  };
  const loop = createLoop({ name: `consumer ${name}`, intervalMs: POLL_MS, run, clock, logger, timers });
  const unfollow = relay.follow(wake);
  loop.start();
  return {
    runNow: () => loop.runNow(),
    async stop() {
      unfollow();
      try {
        await withinTime(timers, LONGEST_STOP_MS, loop.stop());
        await worker.end();
      } catch (err) {
        logger.warn({ err, consumer: name }, 'a consumer did not stop in order; its lease ends by itself');
      }
    },
  };
}
