/** When to trade: pure, so that it can be tested without a market. */
import { roundDown, type Order } from 'express-prediction-market/client';

export interface View {
  /** The probability of YES that the bot believes in. */
  fair: number;
  /** The price of YES now. */
  yesPrice: number;
  /** What the bot may still spend on this market, in USD. */
  budget: number;
}

/** How far the price has to be from the bot's opinion, and what one order may cost, in USD. */
export interface Rules {
  edge: number;
  stake: number;
}

const SMALLEST_ORDER = 1;

/** Buys the side that is cheaper than the bot believes. `null`: there is nothing to do. */
export function orderFor({ fair, yesPrice, budget }: View, { edge, stake }: Rules): Order | null {
  const amount = roundDown(Math.min(stake, budget));
  if (amount < SMALLEST_ORDER || Math.abs(fair - yesPrice) < edge) return null;
  const side = fair > yesPrice ? 'YES' : 'NO';
  const worth = side === 'YES' ? fair : 1 - fair;
  // The price may have moved since. The order is refused if a share would cost more than half the edge
  // allows.
  return { side, amount, maxPrice: roundDown(worth - edge / 2) };
}
