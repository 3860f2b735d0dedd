/** Finds play money in the books, so that it is never paid out as real money. */
import type { Reader, Storage } from 'express-prediction-market';
import { developmentTransaction } from 'express-prediction-market/facilitator/development';
import { wrong } from './checks';
import type { PaymentSettings } from './payment-settings';
import { PLAY_TREASURY_REFERENCE } from './play-money';

/** How many of the newest payments in each state are checked. */
const PAYMENTS_LOOKED_AT = 100;

type Reading = Pick<Storage, 'read'>;

/**
 * What shows that the books contain play money. `null` if nothing was found: operators may still have
 * credited wallets without backing, which no book shows.
 */
export function playMoneyIn(storage: Reading): Promise<string | null> {
  return storage.read(async (reader) => {
    if ((await reader.postings.find(`deposit:${PLAY_TREASURY_REFERENCE}`)) !== null)
      return `the deposit "${PLAY_TREASURY_REFERENCE}"`;
    const payment = await playPaymentIn(reader);
    return payment === null ? null : `the play-money payment ${payment}`;
  });
}

/** The id of a payment that the development facilitator has settled. */
async function playPaymentIn({ payments }: Pick<Reader, 'payments'>): Promise<number | null> {
  for (const status of ['settled', 'delivered'] as const) {
    const newest = await payments.list({ status, limit: PAYMENTS_LOOKED_AT, offset: 0 });
    const found = newest.find((payment) => payment.transaction === developmentTransaction(payment));
    if (found !== undefined) return found.id;
  }
  return null;
}

/**
 * What shows that these books of real payments contain play money. `null` if nothing was found, or if the
 * payments are not real. Rejects with a `SettingsError` where withdrawals would pay the play money out.
 */
export async function playMoneyBesideReal(
  { facilitator, payout }: PaymentSettings,
  storage: Reading,
): Promise<string | null> {
  if (facilitator.kind === 'development') return null;
  const found = await playMoneyIn(storage);
  if (found === null || payout.kind === 'none') return found;
  throw wrong(
    'DATABASE_URL',
    `the database holds play money (${found}), which TREASURY_PRIVATE_KEY would pay out in real money: name a new database, or unset TREASURY_PRIVATE_KEY`,
  );
}
