/**
 * The kind of money that the books hold. It is stored with the first payment or withdrawal, and compared at each start.
 * Otherwise a start without its payment settings would confirm real withdrawals in play money, and play money could be
 * paid out as real money.
 */
import { serviceUnavailable } from '../../domain/errors';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';

/** The name of the setting that stores the kind of money. */
export const MONEY_SETTING = 'money';
export const PLAY_MONEY = 'play';

export type MoneyContext = Pick<Context, 'facilitator' | 'payout' | 'config'>;

/**
 * The money of the facilitator and of the payout: `play`, or the network and the token of real money, such as
 * `eip155:8453 0x8335…`. `null` if neither adapter says whether its money is real.
 */
export function moneyOf({ facilitator, payout, config }: MoneyContext): string | null {
  const stated = [facilitator.playMoney, payout?.playMoney];
  if (stated.includes(true)) return PLAY_MONEY;
  return stated.includes(false) ? `${config.network} ${config.asset}` : null;
}

/**
 * Whether this instance must not work on books of the money `stored`. Real payments may come into books of play money
 * as long as nothing is paid out.
 */
export function isOtherMoney(stored: string, context: MoneyContext): boolean {
  const own = moneyOf(context);
  if (own === null || own === stored) return false;
  return stored !== PLAY_MONEY || (context.payout !== null && context.payout.playMoney !== true);
}

/**
 * Stores the kind of money in the transaction of a payment or a withdrawal, unless it is stored already. The check at
 * the start is not enough: two instances with different money may start on an empty database.
 * @throws PredictionMarketError SERVICE_UNAVAILABLE if the books hold other money.
 */
export async function requireOwnMoney(
  { settings }: Pick<Transaction, 'settings'>,
  context: MoneyContext & Pick<Context, 'logger'>,
): Promise<void> {
  const own = moneyOf(context);
  if (own === null) return;
  const stored = await settings.putIfAbsent(MONEY_SETTING, own);
  if (!isOtherMoney(stored, context)) return;
  context.logger.error(
    { stored, own },
    'the books hold other money than the facilitator and the payout move',
  );
  throw serviceUnavailable('The books hold other money than this instance moves.');
}
