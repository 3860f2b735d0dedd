/**
 * The trade queue (docs/architecture.md "Journey 1: a trade"). An instance runs one trade transaction at a
 * time, over all markets. Orders that arrive meanwhile wait and form the next batch, which is decided and
 * committed together.
 */
import { isPredictionMarketError } from '../../domain/errors';
import { parseMarketReference } from '../../domain/market';
import type { ExecutedTradeView } from '../../views/trade';
import type { PlaceTradeCommand } from '../commands';
import type { Context } from '../context';
import { marketNotFound } from '../markets/market-lookup';
import type { TradeOrder } from './batch-decision';
import {
  marketCreators,
  runTradeBatch,
  tradeOrder,
  type MarketCreators,
  type TradeAnswer,
} from './batch-transaction';

/**
 * The most orders in one batch. This bounds a transaction, and so the time for which the transaction holds its
 * locks.
 */
const LARGEST_BATCH = 1024;

export interface PlacedTrade {
  view: ExecutedTradeView;
  /**
   * Whether an order with this idempotency key was executed before. If so, the view is the answer to that
   * order.
   */
  replayed: boolean;
}

export interface TradeQueue {
  /**
   * Places an order. Rejects with MARKET_NOT_FOUND, a refusal of `decideTrade`, IDEMPOTENCY_CONFLICT or
   * SERVICE_UNAVAILABLE. After SERVICE_UNAVAILABLE the order may have been executed. A caller who sends it
   * again with the same idempotency key learns whether it was.
   */
  place(command: PlaceTradeCommand): Promise<PlacedTrade>;
  /** Resolves when no order waits and no batch is in progress. */
  drain(): Promise<void>;
}

interface Waiting {
  order: TradeOrder;
  resolve: (placed: PlacedTrade) => void;
  reject: (error: unknown) => void;
}

export function createTradeQueue(context: Context): TradeQueue {
  const creators = marketCreators();
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  const lookUps = createLookUps();

  /** Runs batches until no order waits. Never rejects: each failure goes to the caller who placed the order. */
  async function work(): Promise<void> {
    // This wait lets orders that are placed one right after the other, without an `await`, share the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH);
      waiting = waiting.slice(LARGEST_BATCH);
      const outage = await answerBatch(context, batch, creators);
      if (outage !== null) rejectWaiting(outage);
    }
    working = null;
  }

  /**
   * Rejects all orders that wait, when the storage does not answer. If they were tried too, each batch would
   * wait for the storage's time limit.
   */
  function rejectWaiting(outage: unknown): void {
    const stranded = waiting;
    waiting = [];
    for (const { reject } of stranded) reject(outage);
  }

  function enqueue(order: TradeOrder): Promise<PlacedTrade> {
    return new Promise((resolve, reject) => {
      waiting.push({ order, resolve, reject });
      working ??= work();
    });
  }

  /** Finds the market by its slug, and enqueues the order. No lock is needed: a slug always belongs to one market. */
  async function enqueueBySlug(command: PlaceTradeCommand): Promise<PlacedTrade> {
    let placed: Promise<PlacedTrade>;
    lookUps.begin();
    try {
      const market = await context.markets.find(command.market);
      placed = enqueue(tradeOrder(command, market.id));
    } finally {
      lookUps.end();
    }
    return placed;
  }

  return {
    place: async (command) => {
      const parsed = parseMarketReference(command.market);
      if (parsed === null) throw marketNotFound(command.market);
      return parsed.kind === 'id' ? enqueue(tradeOrder(command, parsed.id)) : enqueueBySlug(command);
    },
    drain: async () => {
      while (lookUps.isAny() || working !== null) await (working ?? lookUps.ended());
    },
  };
}

/** Counts the orders whose market is being looked up by its slug. */
function createLookUps() {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    isAny: () => underWay > 0,
    begin: () => void (underWay += 1),
    end() {
      underWay -= 1;
      if (underWay > 0) return;
      const released = waiting;
      waiting = [];
      for (const release of released) release();
    },
    /** Resolves when the last look-up under way has ended. */
    ended: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

/**
 * Answers every order of the batch. If the transaction fails although the storage answers, one order may be
 * the cause. The batch is then halved until the failing order is alone, so that the other orders are served.
 * Returns the error when the storage does not answer, else `null`.
 */
async function answerBatch(
  context: Context,
  batch: readonly Waiting[],
  creators: MarketCreators,
): Promise<unknown> {
  const parts: (readonly Waiting[])[] = [batch];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      const answers = await runTradeBatch(
        context,
        part.map(({ order }) => order),
        creators,
      );
      part.forEach((one, index) => deliver(one, answers[index]));
    } catch (error) {
      if (isPredictionMarketError(error) && error.code === 'SERVICE_UNAVAILABLE') {
        for (const { reject } of [part, ...parts].flat()) reject(error);
        return error;
      }
      if (part.length === 1) {
        context.logger.error({ err: error }, 'An order has failed');
        part[0]?.reject(error);
      } else {
        const middle = Math.ceil(part.length / 2);
        parts.unshift(part.slice(0, middle), part.slice(middle));
      }
    }
  }
  return null;
}

function deliver({ resolve, reject }: Waiting, answer: TradeAnswer | undefined): void {
  if (answer === undefined) reject(new Error('A batch has left an order without an answer'));
  else if (answer.accepted) resolve({ view: answer.view, replayed: answer.replayed });
  else reject(answer.error);
}
