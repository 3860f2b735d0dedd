/**
 * Settlements that are proven but not stored, because the storage failed just after the money had moved. They
 * are kept in memory and written when the storage can be reached again. This instance writes them even if
 * another instance has the lease by then, because the other instance may be unable to learn the outcome. While
 * the storage cannot be reached, no new payment can be claimed, so the list stays short.
 */
import { isPredictionMarketError } from '../../domain/errors';
import type { PaymentRecord } from '../../domain/payments';
import { realTimers, type Timers } from '../../ports/timers';
import type { Context } from '../context';
import { storeProof } from './store-settlement';

export interface KnownSettlement {
  /** The payment as this worker last knew it. */
  payment: PaymentRecord;
  transaction: string | null;
}

export interface KnownSettlements {
  keep(settlement: KnownSettlement): void;
  isKept(payment: Pick<PaymentRecord, 'id'>): boolean;
  /**
   * Stores all kept settlements. Rejects with the first failure. A settlement that could not be stored stays
   * in memory and is tried again after a second.
   */
  store(): Promise<void>;
  /**
   * Tries once more to store the settlements, then stops. Logs each settlement that is still not stored, so
   * that an operator can confirm the payment.
   */
  close(): Promise<void>;
}

const RETRY_MS = 1_000;

type StoreContext = Pick<Context, 'storage' | 'clock' | 'logger'>;

export function createKnownSettlements(
  context: StoreContext,
  timers: Pick<Timers, 'after'> = realTimers,
): KnownSettlements {
  const { logger } = context;
  const kept = new Map<number, KnownSettlement>();
  let cancel = (): void => undefined;
  let storing: Promise<void> | null = null;
  let isClosed = false;

  async function storeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const settlement of [...kept.values()]) {
      try {
        await storeKept(context, settlement);
        kept.delete(settlement.payment.id);
      } catch (error) {
        failures.push(error);
        // The storage cannot be reached: each further settlement would also wait for the storage's time limit.
        if (isPredictionMarketError(error) && error.code === 'SERVICE_UNAVAILABLE') break;
        logger.error({ err: error, ...described(settlement) }, 'a settlement that is kept cannot be stored');
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  function store(): Promise<void> {
    storing ??= storeAll().finally(() => {
      storing = null;
      schedule();
    });
    return storing;
  }

  function schedule(): void {
    cancel();
    if (kept.size === 0 || isClosed) return;
    cancel = timers.after(RETRY_MS, () => void store().catch(() => undefined));
  }

  return {
    keep(settlement) {
      kept.set(settlement.payment.id, settlement);
      logger.error(
        described(settlement),
        'a payment is settled and the storage is away; it is kept until then',
      );
      if (storing === null) schedule();
    },
    isKept: ({ id }) => kept.has(id),
    store,
    async close() {
      isClosed = true;
      cancel();
      await store().catch(() => undefined);
      for (const settlement of kept.values())
        logger.error(described(settlement), 'a settlement was never stored: confirm the payment by hand');
    },
  };
}

async function storeKept(context: StoreContext, { payment, transaction }: KnownSettlement): Promise<void> {
  await storeProof(context, payment, transaction);
  context.logger.info({ paymentId: payment.id, transaction }, 'a settlement that was kept is stored');
}

function described({ payment, transaction }: KnownSettlement) {
  return { paymentId: payment.id, payer: payment.payer, nonce: payment.nonce, transaction };
}
