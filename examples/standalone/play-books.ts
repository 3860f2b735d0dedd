/** Says in terms of the settings why the market does not start, and finds play money in the books. */
import { isPaymentSetUpError, playMoneyIn, type Storage } from 'express-prediction-market';
import { wrong } from './checks';
import type { PaymentSettings } from './payment-settings';

/**
 * The evidence that the books of a service with real payments contain play money. `null` if there is no
 * evidence, or if the payments are play money themselves.
 */
export async function playMoneyBesideReal(
  { facilitator }: PaymentSettings,
  storage: Pick<Storage, 'read'>,
): Promise<string | null> {
  return facilitator.kind === 'development' ? null : playMoneyIn(storage);
}

/** The error of a start, as a `SettingsError` if a setting is the cause. */
export function namingSettings(error: unknown, { network, facilitator }: PaymentSettings): unknown {
  if (!isPaymentSetUpError(error)) return error;
  switch (error.code) {
    case 'WRONG_CHAIN':
      return wrong('RPC_URL', `the node is on ${error.found}, and NETWORK is ${network}`);
    case 'PLAY_MONEY_IN_BOOKS':
      return wrong(
        'DATABASE_URL',
        `the database holds play money (${error.found}), which TREASURY_PRIVATE_KEY would pay out in real money: name a new database, or unset TREASURY_PRIVATE_KEY`,
      );
    case 'OTHER_MONEY_IN_BOOKS':
      return wrong(
        'DATABASE_URL',
        facilitator.kind === 'development'
          ? `the database holds real money (${error.found}), and this start would take play money: set FACILITATOR_URL, or RPC_URL and SETTLER_PRIVATE_KEY, as before, or name a new database`
          : `the database holds other money (${error.found}) than NETWORK and ASSET name: set both as before, or name a new database`,
      );
  }
}
