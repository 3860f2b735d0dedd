/** Follows the markets that the bot has an opinion on, and trades when the price is far from it. */
import {
  isPredictionMarketApiError,
  type LiveChannel,
  type LiveMessage,
  type Order,
  type PredictionMarketClient,
} from 'express-prediction-market/client';
import { orderFor, type Rules } from './strategy.js';

export interface BotOptions extends Rules {
  /** A client with an API key. */
  client: PredictionMarketClient;
  /** By market: the probability of YES that the bot believes in. */
  opinions: ReadonlyMap<number, number>;
  /** The most that the bot spends on one market, in USD. The cost of its open positions counts too. */
  budget: number;
  signal?: AbortSignal;
  log?: (line: string) => void;
}

export async function runBot({ client, opinions, budget, signal, log = console.log, ...rules }: BotOptions) {
  const spent = await costOfPositions(client);
  const channels = [...opinions.keys()].map((market): LiveChannel => `market:${market}`);
  // The client reconnects by itself. With `resume: false` it then delivers the present state, not the prices
  // that the bot has missed.
  for await (const message of client.live(channels, { signal, resume: false })) {
    for (const { id, status } of closedIn(message)) log(`market ${id} does not trade: it is ${status}`);
    for (const { market, yesPrice } of pricesIn(message)) {
      const fair = opinions.get(market);
      if (fair === undefined) continue;
      if (message.type === 'snapshot')
        log(`market ${market}: YES costs ${yesPrice}, the bot believes in ${fair}`);
      const left = budget - (spent.get(market) ?? 0);
      const order = orderFor({ fair, yesPrice, budget: left }, rules);
      if (order !== null) spent.set(market, (spent.get(market) ?? 0) + (await place(market, order)));
    }
  }

  /** Places the order. Returns what the bot has spent, or may have spent, in USD. */
  async function place(market: number, order: Order): Promise<number> {
    try {
      // If the answer is lost, the client sends the order again. The market still executes the order only
      // once.
      const { shares, side, totalCost } = await client.trades.place(market, order, { signal });
      log(`market ${market}: ${shares} ${side} for ${totalCost} USD`);
      return totalCost;
    } catch (error) {
      if (!isPredictionMarketApiError(error)) throw error;
      log(`market ${market}: ${error.code}`);
      // A refused order has changed nothing. Any other order may have traded, so its money counts as spent.
      return error.outcome === 'refused' ? 0 : (order.amount ?? 0);
    }
  }
}

/**
 * The prices in a message. Every trade changes the price, also a trade of the bot. So the bot checks the
 * market again after its own trades too.
 */
function pricesIn(message: LiveMessage): { market: number; yesPrice: number }[] {
  if (message.type !== 'event')
    return message.markets
      .filter(({ status }) => status === 'open')
      .map(({ id, yesPrice }) => ({ market: id, yesPrice }));
  return message.event === 'trade'
    ? [{ market: message.data.marketId, yesPrice: message.data.yesPrice }]
    : [];
}

function closedIn(message: LiveMessage): { id: number; status: string }[] {
  return message.type === 'event' ? [] : message.markets.filter(({ status }) => status !== 'open');
}

async function costOfPositions(client: PredictionMarketClient): Promise<Map<number, number>> {
  const cost = new Map<number, number>();
  for await (const { marketId, costBasis } of client.account.allPositions({ status: 'open' }))
    cost.set(marketId, (cost.get(marketId) ?? 0) + costBasis);
  return cost;
}
