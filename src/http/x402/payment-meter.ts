/**
 * Limits refused payments. A refused payment costs its sender nothing, but it may cost the service something. The
 * meter counts such refusals by client address. Refusals without a cost do not count: otherwise one client could
 * block all clients that share its address. The meter also limits the number of payments in work.
 */
import type { Request } from 'express';
import { isPredictionMarketError, PredictionMarketError, serviceUnavailable } from '../../domain/errors';
import type { Clock } from '../../ports/clock';
import type { RateLimitBackend } from '../../ports/rate-limit';
import { clientAddress } from '../admission/client-address';

export interface PaymentMeterOptions {
  rateLimit: RateLimitBackend;
  clock: Clock;
  /**
   * The most refused payments of an address in five minutes. Only payments that cost the service something
   * count.
   */
  refusedLimit: number;
  /** The most payments in work at once, over all addresses. One address may have a quarter of them, rounded up. */
  inWorkLimit: number;
}

export interface PaymentMeter {
  /**
   * Does the work for a payment. The work calls `onCost` when the payment begins to cost something. Over a
   * limit, `run` rejects with RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE and does not begin the work.
   */
  run<T>(request: Request, work: (onCost: () => void) => Promise<T>): Promise<T>;
}

export const REFUSALS_WINDOW_MS = 5 * 60_000;
/** Most payments end within seconds, so a caller may try again soon. */
const RETRY_AFTER_WORK_SECONDS = 2;

export function createPaymentMeter(options: PaymentMeterOptions): PaymentMeter {
  const { rateLimit, clock, refusedLimit, inWorkLimit } = options;
  const ofOneAddress = Math.ceil(inWorkLimit / 4);
  const refusals = rateLimit.failures(REFUSALS_WINDOW_MS);
  /** The number of payments in work by address. An address without payments in work has no entry. */
  const inWork = new Map<string, number>();
  let allInWork = 0;

  async function enter(address: string, subject: string): Promise<void> {
    const now = clock.now();
    const { failures, resetAt } = await refusals.count(subject, now);
    const ofAddress = inWork.get(address) ?? 0;
    if (failures >= refusedLimit) throw tooMany('Too many refused payments. Try again later.', resetAt - now);
    if (ofAddress >= ofOneAddress)
      throw tooMany('Too many payments at once. Try again later.', RETRY_AFTER_WORK_SECONDS * 1000);
    if (allInWork >= inWorkLimit) throw serviceUnavailable('Too many payments are in work.');
    inWork.set(address, ofAddress + 1);
    allInWork += 1;
  }

  function leave(address: string): void {
    allInWork -= 1;
    const others = (inWork.get(address) ?? 1) - 1;
    if (others === 0) inWork.delete(address);
    else inWork.set(address, others);
  }

  return {
    async run(request, work) {
      const address = clientAddress(request);
      // The subject has a prefix, because the same counters may hold the failed authentications of the address.
      const subject = `payments:${address}`;
      await enter(address, subject);
      let hasCost = false;
      try {
        return await work(() => (hasCost = true));
      } catch (error) {
        if (hasCost && isPredictionMarketError(error) && error.status === 402)
          await refusals.record(subject, clock.now());
        throw error;
      } finally {
        leave(address);
      }
    },
  };
}

function tooMany(message: string, waitMs: number): PredictionMarketError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new PredictionMarketError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}
