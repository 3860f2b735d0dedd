/** The checks at the start of the service that keep a mistake in the options from costing real money. */
import { developmentTransaction, PLAY_TREASURY_REFERENCE } from '../../crypto/play-money';
import { PaymentSetUpError } from '../../domain/payment-set-up';
import type { Reader, Storage } from '../../ports/storage';
import { withinTime } from '../../ports/time-limit';
import { awaitedTimers } from '../../ports/timers';
import type { Context } from '../context';

/** The time limit of the check. A node that does not answer must not keep the service from starting. */
const CHAIN_CHECK_LIMIT_MS = 5000;
/** How many of the newest payments in each state are checked. */
const PAYMENTS_LOOKED_AT = 100;

type Money = Pick<Context, 'facilitator' | 'payout' | 'config' | 'logger'>;

/**
 * Asks the nodes of the facilitator and of the payout for their chains. A node that does not answer is no reason to
 * stop: it may come back, and each payment asks it for its chain again.
 * @throws PaymentSetUpError WRONG_CHAIN.
 */
export async function checkChains(money: Money): Promise<void> {
  await Promise.all([checkChain(money, 'facilitator'), checkChain(money, 'payout')]);
}

async function checkChain({ config, logger, ...adapters }: Money, option: 'facilitator' | 'payout') {
  const adapter = adapters[option];
  if (adapter?.chainId === undefined) return;
  let chain: number;
  try {
    chain = await withinTime(awaitedTimers, CHAIN_CHECK_LIMIT_MS, adapter.chainId());
  } catch {
    // The error is not logged, because it may contain the address of the node with a key in it.
    logger.info({ option }, 'the chain of a node was not checked, because the node does not answer');
    return;
  }
  if (chain === config.chainId) return;
  const found = `eip155:${chain}`;
  const cure = `name a node of ${config.network}, or another network`;
  const message = `the node of the ${option} is on ${found}, and the option network is ${config.network}: ${cure}`;
  throw new PaymentSetUpError('WRONG_CHAIN', found, message);
}

/**
 * Looks for play money in the books if the payout would pay it out as real money.
 * @throws PaymentSetUpError PLAY_MONEY_IN_BOOKS.
 */
export async function checkBooks({
  facilitator,
  payout,
  storage,
}: Pick<Context, 'facilitator' | 'payout' | 'storage'>): Promise<void> {
  if (payout === null || payout.playMoney === true || facilitator.playMoney === true) return;
  const found = await playMoneyIn(storage);
  if (found === null) return;
  const message = `the database holds play money (${found}), which the payout would pay out in real money: use a new database, or no payout`;
  throw new PaymentSetUpError('PLAY_MONEY_IN_BOOKS', found, message);
}

/**
 * What shows that the books contain play money. `null` if nothing was found: operators may still have credited wallets
 * without backing, which no book shows. The storage must be open.
 */
export function playMoneyIn(storage: Pick<Storage, 'read'>): Promise<string | null> {
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
