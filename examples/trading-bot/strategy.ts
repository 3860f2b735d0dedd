/** Decides when to trade. The function is pure, so tests need no market. */
import { roundDown, type Order } from 'express-prediction-market/client';

export interface View {
  /** The probability of YES that the bot believes in. */
  fair: number;
  /** The price of YES now. */
  yesPrice: number;
  /** What the bot may still spend on this market, in USD. */
  budget: number;
}

export interface Rules {
  /** The least difference between the price and the bot's opinion at which the bot buys. */
  edge: number;
  /** The most that one order may cost, in USD. */
  stake: number;
}

const SMALLEST_ORDER = 1;

/** Buys the side that is cheaper than the bot believes. `null`: there is nothing to do. */
export function orderFor({ fair, yesPrice, budget }: View, { edge, stake }: Rules): Order | null {
  const amount = roundDown(Math.min(stake, budget));
  if (amount < SMALLEST_ORDER || Math.abs(fair - yesPrice) < edge) return null;
  const side = fair > yesPrice ? 'YES' : 'NO';
  const worth = side === 'YES' ? fair : 1 - fair;
  // The price may have moved since, and the order itself moves it. If the average price per share would leave
  // less than half of `edge`, the market refuses the order.
  return { side, amount, maxPrice: roundDown(worth - edge / 2) };
}
