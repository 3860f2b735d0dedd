/** The checks at the start of the service that keep a mistake in the options from costing real money. */
import { PLAY_TREASURY_REFERENCE } from '../../crypto/play-money';
import { PaymentSetUpError } from '../../domain/payment-set-up';
import type { PaymentRecord } from '../../domain/payments';
import type { Logger } from '../../ports/logger';
import type { Storage } from '../../ports/storage';
import { withinTime } from '../../ports/time-limit';
import { awaitedTimers } from '../../ports/timers';
import type { Context } from '../context';
import {
  holdsReal,
  isOtherMoney,
  isPlayPayment,
  MONEY_SETTING,
  moneyOf,
  PLAY_BALANCES_SETTING,
  PLAY_MONEY,
  newestPayment,
  type MoneyContext,
} from './money-of-books';

const CHAIN_CHECK_LIMIT_MS = 5000;

const PAYOUT_OF_UNKNOWN_MONEY =
  'payments are play money, and the payout does not say whether its money is too (playMoney): if it is real, any payer can empty the treasury';
const PAYMENTS_BESIDE_PLAY_PAYOUT =
  'the payout moves play money, and the facilitator does not say whether its money is too (playMoney): if it is real, withdrawals are confirmed and nothing is paid';
const PAYMENTS_BESIDE_REAL_PAYOUT =
  'the payout moves real money, and the facilitator does not say whether its money is too (playMoney): if it is play money, any payer can empty the treasury';
const REAL_PAYMENTS_BESIDE_UNKNOWN_PAYOUT =
  'payments are real money, and the payout does not say whether its money is too (playMoney): if it is play money, withdrawals are confirmed and nothing is paid';

type Money = Pick<Context, 'facilitator' | 'payout' | 'config' | 'logger'>;

/**
 * Asks the nodes of the facilitator and of the payout for their chains. If a node does not answer, the service starts
 * all the same, because the node may answer later.
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
  // A host in JavaScript may return a bigint, as ethers does.
  if (Number(chain) === config.chainId) return;
  const found = `eip155:${chain}`;
  const cure = `name a node of ${config.network}, or another network`;
  const message = `the node of the ${option} is on ${found}, and the option network is ${config.network}: ${cure}`;
  throw new PaymentSetUpError('WRONG_CHAIN', found, message);
}

/**
 * Compares the money in the books with the money that the facilitator and the payout move.
 * @throws PaymentSetUpError PLAY_MONEY_IN_BOOKS or OTHER_MONEY_IN_BOOKS.
 */
export async function checkBooks({
  storage,
  logger,
  ...money
}: MoneyContext & Pick<Context, 'storage' | 'logger'>): Promise<void> {
  warnOfUnknownMoney(money, logger);
  const stored = await storage.read(({ settings }) => settings.get(MONEY_SETTING));
  if (stored === PLAY_MONEY && moneyOf(money) === PLAY_MONEY) return;
  const isOtherReal = stored !== null && stored !== PLAY_MONEY && isOtherMoney(stored, money);
  const found = isOtherReal ? { money: stored, shown: stored } : await foundMoney(storage, money, stored);
  if (found === null || !isOtherMoney(found.money, money)) return;
  throw found.money === PLAY_MONEY ? playMoneyInBooks(found.shown) : otherMoneyInBooks(found.shown, money);
}

function warnOfUnknownMoney({ facilitator, payout }: MoneyContext, logger: Logger): void {
  if (payout === null) return;
  // A host in JavaScript may state `null`. Like `undefined`, it means that the kind of money is not known.
  const [payments, payouts] = [facilitator.playMoney ?? null, payout.playMoney ?? null];
  const fields = { facilitator: facilitator.name, payout: payout.name };
  if (payments === true && payouts === null) logger.warn(fields, PAYOUT_OF_UNKNOWN_MONEY);
  if (payments === false && payouts === null) logger.warn(fields, REAL_PAYMENTS_BESIDE_UNKNOWN_PAYOUT);
  if (payments === null && payouts === true) logger.warn(fields, PAYMENTS_BESIDE_PLAY_PAYOUT);
  if (payments === null && payouts === false) logger.warn(fields, PAYMENTS_BESIDE_REAL_PAYOUT);
}

interface FoundMoney {
  /** The kind of money: a value of `moneyOf`, or `real` for real money whose token is not known. */
  money: string;
  /** The part of the error message that says what shows this kind of money. */
  shown: string;
}

/**
 * Looks in the books for money that this instance does not move. An instance with play money looks for real
 * payments. Any other instance with a payout looks for play money.
 */
async function foundMoney(
  storage: Storage,
  money: MoneyContext,
  stored: string | null,
): Promise<FoundMoney | null> {
  if (moneyOf(money) === PLAY_MONEY) {
    const payment = await storage.read((reader) => newestPayment(reader, (found) => !isPlayPayment(found)));
    return payment === null ? null : { money: 'real', shown: `the payment ${payment}` };
  }
  if (money.payout === null) return null;
  // An instance of real money never runs the call of a payment in play money, so such a payment counts only if
  // its call has run. An instance that does not know its money could still run the call, so every payment counts.
  const isKnown = moneyOf(money) !== null;
  const shown = await foundPlayMoney(
    storage,
    (payment) =>
      (!isKnown || hasRun(payment)) &&
      // In books of real money, only deposits count: the other payments in play money have credited no wallet.
      (!holdsReal(stored) || payment.operation === 'deposit'),
  );
  return shown === null ? null : { money: PLAY_MONEY, shown };
}

function playMoneyInBooks(found: string): PaymentSetUpError {
  const message = `the database holds play money (${found}), which the payout would pay out in real money: use a new database, or no payout`;
  return new PaymentSetUpError('PLAY_MONEY_IN_BOOKS', found, message);
}

function otherMoneyInBooks(found: string, money: MoneyContext): PaymentSetUpError {
  const own = moneyOf(money) === PLAY_MONEY ? 'play money' : moneyOf(money);
  const message = `the database holds other money (${found}) than the facilitator and the payout move (${own}): use the adapters and the network of these books, or a new database`;
  return new PaymentSetUpError('OTHER_MONEY_IN_BOOKS', found, message);
}

/**
 * What shows that the books contain play money. `null` if nothing was found. Even then, operators may have
 * credited wallets with play money, because a deposit by an operator does not show its kind. The storage must
 * be open.
 */
export function playMoneyIn(storage: Pick<Storage, 'read'>): Promise<string | null> {
  return foundPlayMoney(storage, () => true);
}

function foundPlayMoney(
  storage: Pick<Storage, 'read'>,
  counts: (payment: PaymentRecord) => boolean,
): Promise<string | null> {
  return storage.read(async (reader) => {
    if ((await reader.postings.find(`deposit:${PLAY_TREASURY_REFERENCE}`)) !== null)
      return `the deposit "${PLAY_TREASURY_REFERENCE}"`;
    const payment = await newestPayment(reader, (found) => isPlayPayment(found) && counts(found));
    if (payment !== null) return `the play-money payment ${payment}`;
    const taken = await reader.settings.get(PLAY_BALANCES_SETTING);
    if (taken !== null) return `the play-money ${taken}`;
    const stored = await reader.settings.get(MONEY_SETTING);
    return stored === PLAY_MONEY ? 'the first payment or withdrawal was one of play money' : null;
  });
}

/** Whether the call of a settled payment may have run: its answer is stored, or was delivered. */
const hasRun = ({ status, answer }: PaymentRecord): boolean => status === 'delivered' || answer !== null;
