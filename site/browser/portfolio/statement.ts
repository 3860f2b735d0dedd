/** The statement of a wallet: all movements of its balance as a CSV file (RFC 4180). */
import type { Credit, MarketEarnings, WalletTrade, Withdrawal } from '../../../src/client/api.generated';

export interface Movement {
  /** Empty for a line without a date: `creator fees` and `not listed`. */
  time: string;
  kind: 'buy' | 'sell' | 'settlement' | 'deposit' | 'withdrawal' | 'creator fees' | 'not listed';
  marketId: number | null;
  question: string;
  side: string;
  shares: number | null;
  price: number | null;
  fee: number | null;
  /** What the movement adds to the balance, in millionths of a USD. */
  micros: number;
  profit: number | null;
  reference: string;
}

export interface Life {
  history: readonly WalletTrade[];
  deposits: readonly Credit[];
  withdrawals: readonly Withdrawal[];
  earnings: readonly MarketEarnings[];
  /** The balance, including the amount that is reserved for withdrawals. */
  balance: number;
  questions: ReadonlyMap<number, string>;
}

const microsOf = (usd: number): number => Math.round(usd * 1e6);

const NO_MARKET = {
  marketId: null,
  question: '',
  side: '',
  shares: null,
  price: null,
  fee: null,
  profit: null,
} as const;

/**
 * First a line for each market with creator fees, then the other movements, oldest first. If the sum is not the
 * balance, a line `not listed` with the difference comes before these lines.
 */
export function movementsOf(life: Life): Movement[] {
  const { history, deposits, withdrawals, earnings, balance, questions } = life;
  const paid = withdrawals.filter(({ status }) => status === 'confirmed').map(paidOut);
  const listed = [...history.map((row) => traded(row, questions)), ...deposits.map(credited), ...paid];
  listed.sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0));
  listed.unshift(...earnings.filter(({ fees }) => fees > 0).map(earned));
  const micros = microsOf(balance) - listed.reduce((sum, movement) => sum + movement.micros, 0);
  if (micros === 0) return listed;
  const reference = 'difference to the balance';
  return [{ ...NO_MARKET, time: '', kind: 'not listed', micros, reference }, ...listed];
}

function traded(row: WalletTrade, questions: ReadonlyMap<number, string>): Movement {
  const isBuy = row.type === 'trade' && row.action === 'buy';
  return {
    time: row.createdAt,
    kind: row.type === 'settlement' ? 'settlement' : row.action,
    marketId: row.marketId,
    question: questions.get(row.marketId) ?? '',
    side: row.side,
    shares: row.shares,
    price: row.pricePerShare,
    fee: row.fee,
    micros: isBuy ? -microsOf(row.totalCost) : microsOf(row.totalCost),
    profit: isBuy ? null : row.realizedPnl,
    reference: `${row.type} ${row.id}`,
  };
}

function credited({ id, amount, source, createdAt }: Credit): Movement {
  const reference = `${source} ${id}`;
  return { ...NO_MARKET, time: createdAt, kind: 'deposit', micros: microsOf(amount), reference };
}

function earned({ id, question, fees }: MarketEarnings): Movement {
  const reference = 'sum of all times';
  const movement = {
    ...NO_MARKET,
    time: '',
    kind: 'creator fees',
    micros: microsOf(fees),
    reference,
  } as const;
  return { ...movement, marketId: id, question };
}

function paidOut({ id, amount, updatedAt, transaction }: Withdrawal): Movement {
  const reference = transaction ?? `withdrawal ${id}`;
  return { ...NO_MARKET, time: updatedAt, kind: 'withdrawal', micros: -microsOf(amount), reference };
}

const TITLES =
  'time,kind,market_id,question,side,shares,price_per_share,fee_usd,amount_usd,realized_profit_usd,reference';

export function csvOf(movements: readonly Movement[]): string {
  const lines = movements.map((movement) =>
    [
      textCell(movement.time),
      textCell(movement.kind),
      movement.marketId === null ? '' : String(movement.marketId),
      textCell(movement.question),
      textCell(movement.side),
      numberCell(movement.shares),
      numberCell(movement.price),
      numberCell(movement.fee),
      numberCell(movement.micros / 1e6),
      numberCell(movement.profit),
      textCell(movement.reference),
    ].join(','),
  );
  return [TITLES, ...lines].map((line) => `${line}\r\n`).join('');
}

const numberCell = (value: number | null): string => (value === null ? '' : value.toFixed(6));

/**
 * Spreadsheets run a text that begins like a formula. Some also accept full-width signs. An apostrophe before
 * the text prevents that.
 */
function textCell(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
