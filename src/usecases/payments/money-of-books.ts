/**
 * The kind of money that the books hold. The first payment or the first withdrawal stores the kind. The service
 * compares it with its own kind at each start. Otherwise a service that is started without its payment settings
 * would confirm real withdrawals in play money, and play money could be paid out as real money.
 */
import { developmentTransaction } from '../../crypto/play-money';
import { PredictionMarketError } from '../../domain/errors';
import type { PaymentRecord } from '../../domain/payments';
import type { Logger } from '../../ports/logger';
import type { Reader, Transaction } from '../../ports/storage';
import type { Context } from '../context';
import { detailsOf } from './ask-facilitator';

/** The setting that names a payment of play money which an instance took without knowing that it was play money. */
export const PLAY_BALANCES_SETTING = 'play balances';

export const MONEY_SETTING = 'money';
export const PLAY_MONEY = 'play';

export class OtherMoneyError extends PredictionMarketError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The books hold other money than this instance moves.', {
      retryAfterSeconds: 1,
    });
  }
}

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
 * Whether this instance must not work on books with the kind of money `stored`. An instance without a payout may work
 * on books of play money, because it pays nothing out. A payout that does not say whether its money is real counts as
 * real here.
 */
export function isOtherMoney(stored: string, context: MoneyContext): boolean {
  const own = moneyOf(context);
  if (own === stored) return false;
  if (stored === PLAY_MONEY) return context.payout !== null && context.payout.playMoney !== true;
  return own !== null;
}

type LoggedMoney = MoneyContext & { logger: Pick<Logger, 'error'> };

/**
 * Resolves with whether the books have a stored kind of money.
 * @throws PredictionMarketError SERVICE_UNAVAILABLE if the books hold other money.
 */
export async function requireSameMoney(
  { settings }: Pick<Reader, 'settings'>,
  context: LoggedMoney,
): Promise<boolean> {
  const stored = await settings.get(MONEY_SETTING);
  if (stored !== null) refuseOther(stored, context);
  return stored !== null;
}

/**
 * Stores this instance's kind of money in the transaction of a payment or a withdrawal. Stores nothing if a kind is
 * stored already, or if this instance does not know its kind. The check at the start is not enough: two instances
 * with different money may start on an empty database.
 * @throws PredictionMarketError SERVICE_UNAVAILABLE if the books hold other money.
 */
export async function storeMoney(
  transaction: Pick<Transaction, 'settings'>,
  context: LoggedMoney,
): Promise<void> {
  const own = moneyOf(context);
  if (own === null) await requireSameMoney(transaction, context);
  else refuseOther(await transaction.settings.putIfAbsent(MONEY_SETTING, own), context);
}

/**
 * A payout of real money must not pay out balances that came in as play money. Resolves with the payment that shows
 * such balances, or with `null` if this instance may pay out.
 */
export async function playBalancesIn(
  { settings }: Pick<Reader, 'settings'>,
  context: MoneyContext,
): Promise<string | null> {
  const own = moneyOf(context);
  const found = own === PLAY_MONEY ? null : await settings.get(PLAY_BALANCES_SETTING);
  // An instance whose adapters do not say whether their money is real may pay out, as long as no kind is stored.
  if (found === null || (own === null && (await settings.get(MONEY_SETTING)) === null)) return null;
  return isOtherMoney(PLAY_MONEY, context) ? found : null;
}

/**
 * Called before a withdrawal is taken.
 * @throws PredictionMarketError SERVICE_UNAVAILABLE if this instance must not pay out (`playBalancesIn`).
 */
export async function refusePlayBalances(
  reader: Pick<Reader, 'settings'>,
  context: LoggedMoney,
): Promise<void> {
  if ((await playBalancesIn(reader, context)) !== null) refuseOther(PLAY_MONEY, context);
}

/**
 * Whether this instance moves real money and must refuse the call of a payment that `developmentFacilitator` has
 * settled. Without a payout, it refuses only payments whose claim names no kind of money.
 */
export function isPlayBesideReal(context: MoneyContext, payment: PaymentRecord): boolean {
  const own = moneyOf(context);
  if (own === null || own === PLAY_MONEY || !isPlayPayment(payment)) return false;
  return context.payout !== null || isOfUnknownMoney(payment);
}

/**
 * Whether the call of a settled payment will be refused, by `isPlayBesideReal` or by `notePlayPayment`.
 */
export async function willBeRefused(
  context: MoneyContext & Pick<Context, 'storage'>,
  payment: PaymentRecord,
): Promise<boolean> {
  if (isPlayBesideReal(context, payment)) return true;
  if (moneyOf(context) === PLAY_MONEY || !isPlayPayment(payment)) return false;
  return context.storage.read(
    async (reader) =>
      (await realPaymentsCameIn(reader)) ||
      (isOfUnknownMoney(payment) && holdsReal(await reader.settings.get(MONEY_SETTING))),
  );
}

export const holdsReal = (stored: string | null): boolean => stored !== null && stored !== PLAY_MONEY;

/** Whether the instance that took the payment did not know whether its money was real. */
const isOfUnknownMoney = (payment: PaymentRecord): boolean => detailsOf(payment).money === undefined;

/** A payment of play money came into books of real money. */
export class PlayBesideRealError extends Error {
  override readonly name = 'PlayBesideRealError';
}

/**
 * Called in the transaction that runs the call of a payment. Stores that the books hold play money, if the development
 * facilitator has settled the payment and the adapters of this instance do not state that they move play money.
 * @throws PlayBesideRealError if one of the newest payments was real, or if the books hold real money and the instance
 *   that took the payment did not know its kind of money.
 */
export async function notePlayPayment(
  { settings, payments }: Pick<Transaction, 'settings' | 'payments'>,
  context: MoneyContext,
  payment: PaymentRecord,
): Promise<void> {
  if (!isPlayPayment(payment) || moneyOf(context) === PLAY_MONEY) return;
  // A balance of play money would stop the payouts of books with real payments. Payments of play money that credit no
  // wallet are refused too: the check reads only the newest payments, and many of them could hide the real ones.
  if (await realPaymentsCameIn({ payments }))
    throw new PlayBesideRealError('real payments came into the books');
  // Among the paid calls, only a deposit credits a wallet.
  if (payment.operation === 'deposit')
    await settings.putIfAbsent(PLAY_BALANCES_SETTING, `payment ${payment.id}`);
  if (!isOfUnknownMoney(payment)) return;
  // With a payout, `play` is not stored: it would stop a payout that does not say whether its money is real.
  const stored =
    context.payout === null
      ? await settings.putIfAbsent(MONEY_SETTING, PLAY_MONEY)
      : await settings.get(MONEY_SETTING);
  if (holdsReal(stored)) throw new PlayBesideRealError('the books hold real money');
}

/**
 * Whether one of the newest payments was real. A payment that an operator has confirmed does not count, because the
 * operator may have named any transaction.
 */
async function realPaymentsCameIn(reader: Pick<Reader, 'payments'>): Promise<boolean> {
  const isReal = (found: PaymentRecord): boolean =>
    found.decision?.verdict !== 'confirmed' && !isPlayPayment(found);
  return (await newestPayment(reader, isReal)) !== null;
}

/** How many payments are read of each status: the newest `settled` and the newest `delivered` ones. */
const PAYMENTS_LOOKED_AT = 100;

/** The id of one of the newest paid payments that matches. `null` if none of them matches. */
export async function newestPayment(
  { payments }: Pick<Reader, 'payments'>,
  matches: (payment: PaymentRecord) => boolean,
): Promise<number | null> {
  for (const status of ['settled', 'delivered'] as const) {
    const newest = await payments.list({ status, limit: PAYMENTS_LOOKED_AT, offset: 0 });
    const found = newest.find((payment) => payment.transaction !== null && matches(payment));
    if (found !== undefined) return found.id;
  }
  return null;
}

export const isPlayPayment = (payment: PaymentRecord): boolean =>
  payment.transaction?.toLowerCase() === developmentTransaction(payment);

function refuseOther(stored: string, context: LoggedMoney): void {
  if (!isOtherMoney(stored, context)) return;
  const fields = { stored, own: moneyOf(context) };
  context.logger.error(fields, 'the books hold other money than the facilitator and the payout move');
  throw new OtherMoneyError();
}
