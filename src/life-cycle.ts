/** Starts and closes the parts of a prediction market in order, and says whether they run. */
import { activeCurve } from './crypto/curve';
import { serviceUnavailable } from './domain/errors';
import { checkOptions, mustBe, optional, type Checks } from './domain/options';
import { runInOrder } from './jobs/run-in-order';
import type { SetUpMistake } from './ports/logger';
import type { RateLimitBackend } from './ports/rate-limit';
import type { Context } from './usecases/context';
import { checkBooks, checkChains } from './usecases/payments/check-set-up';

export interface LifeCycleParts {
  context: Context;
  rateLimit: RateLimitBackend;
  nonces: { load(): Promise<void> };
  relay: { start(options: { newEpoch: boolean }): Promise<void>; stop(): Promise<void> };
  jobs: { start(): void; stop(): Promise<void> };
  consumers: { start(): void; stop(): Promise<void> };
  iterators: { close(): void };
  connections: { close(): Promise<void> };
  sockets: { detach(): void };
  trades: { drain(): Promise<unknown> };
  payments: { drain(): Promise<unknown> };
}

export interface StartOptions {
  /**
   * `false`: this instance runs no background job. It does not close or resolve markets, continue payments, send
   * withdrawals or webhooks, or give facts to listeners, sockets and streams. Meant for tools that work beside the
   * running service. `runJobs` still runs the jobs. Default `true`.
   */
  jobs?: boolean | undefined;
  /**
   * `true`: the facts get a new epoch, so that readers do not take new facts for lost ones with the same numbers.
   * Meant for the first start after the restore of a backup. `start` rejects while another instance numbers facts.
   * docs/operations.md "Backup and restore". Default `false`.
   */
  newEpoch?: boolean | undefined;
}

export interface LifeCycle {
  /**
   * Whether requests can be served. Logs the first call before `start`, because the host may have forgotten to call
   * `start`.
   */
  isStarted(): boolean;
  /**
   * @throws PredictionMarketError SERVICE_UNAVAILABLE before `start` has finished and after `close` was called.
   */
  requireStarted(): void;
  /**
   * @throws PaymentSetUpError if a node is on another chain than `network`, or if the books contain other
   * money than the facilitator and the payout move.
   * @throws Error if `start` was called before and has not failed, or if `close` is called before it ends.
   */
  start(options?: StartOptions): Promise<void>;
  close(): Promise<void>;
}

const NOT_STARTED =
  'a request came while start() was not called, or had failed: it is answered 503. Is `await pm.start()` missing?';

const BOOLEAN = optional(mustBe('true or false', (value) => typeof value === 'boolean'));
const START_CHECKS: Checks<StartOptions> = { jobs: BOOLEAN, newEpoch: BOOLEAN };

export function createLifeCycle(parts: LifeCycleParts): LifeCycle {
  const opener = createOpener(parts);
  let state: 'new' | 'starting' | 'started' | 'closing' | 'closed' = 'new';
  let isLogged = false;
  let starting: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  async function open({ jobs = true, newEpoch = false }: StartOptions): Promise<void> {
    logCurve(parts.context);
    try {
      await opener.open(newEpoch);
    } catch (error) {
      if (state === 'starting') state = 'new';
      throw error;
    }
    if (state !== 'starting') throw new Error('The prediction market was closed while it was starting');
    logReceiver(parts.context);
    if (jobs) {
      parts.jobs.start();
      parts.consumers.start();
    }
    state = 'started';
  }

  async function shutDown(): Promise<void> {
    state = 'closing';
    // A start cannot be cancelled, so what it has opened is closed afterwards.
    await starting?.catch(() => undefined);
    parts.iterators.close();
    await runInOrder([
      () => parts.consumers.stop(),
      () => parts.trades.drain(),
      () => parts.payments.drain(),
      ...opener.closingSteps(),
    ]).finally(() => parts.sockets.detach());
    state = 'closed';
  }

  return {
    isStarted() {
      if (state === 'new' && !isLogged) {
        isLogged = true;
        const mistake: SetUpMistake = { setUp: 'NOT_STARTED' };
        parts.context.logger.warn(mistake, NOT_STARTED);
      }
      return state === 'started';
    },
    requireStarted() {
      if (state === 'started') return;
      throw serviceUnavailable(
        `The prediction market is ${state === 'new' ? 'not started: call `await pm.start()` first' : state}`,
      );
    },
    async start(options = {}) {
      checkOptions('start', options, START_CHECKS);
      if (state !== 'new') throw new Error(`start() was called on a prediction market that is ${state}`);
      state = 'starting';
      starting = open(options);
      await starting;
    },
    close: () => (closing ??= shutDown()),
  };
}

/** Opens the parts that need I/O. Remembers the open parts, because a start that has failed may be repeated. */
function createOpener({ context, rateLimit, nonces, relay, connections, jobs }: LifeCycleParts) {
  const { storage, logger } = context;
  let isStorageOpen = false;
  let isRelayStarted = false;
  return {
    async open(newEpoch: boolean): Promise<void> {
      await checkChains(context);
      if (!isStorageOpen) await storage.open({ logger });
      isStorageOpen = true;
      await checkBooks(context);
      await nonces.load();
      await rateLimit.start?.({ logger });
      await relay.start({ newEpoch });
      isRelayStarted = true;
    },
    closingSteps(): (() => Promise<void>)[] {
      // `jobs.stop` runs the relay once more, so that readers get every fact of this instance. A relay that was never
      // started would emit the whole history.
      const relaySteps = isRelayStarted
        ? [() => jobs.stop(), () => connections.close(), () => relay.stop()]
        : [];
      const storageSteps = isStorageOpen ? [async () => rateLimit.close?.(), () => storage.close()] : [];
      return [...relaySteps, ...storageSteps];
    },
  };
}

function logCurve({ logger }: Context): void {
  const { implementation, fallbackReason } = activeCurve();
  logger.debug({ implementation, fallbackReason }, 'the curve that recovers signers');
}

function logReceiver({ logger, config: { payTo, network, asset } }: Context): void {
  logger.info({ payTo, network, asset }, 'payments go to payTo, which must belong to this deployment alone');
}
