/** Calls about the wallet that the API key belongs to. */
import type {
  Balance,
  CreatorEarnings,
  Credit,
  CreditList,
  Limits,
  MarketEarnings,
  Position,
  PositionList,
  WalletHistory,
  WalletTrade,
  Withdrawal,
  WithdrawalList,
} from './api.generated';
import type { Call } from './call';
import { listing, naming } from './calls-of-paths';
import { newIdempotencyKey } from './idempotency';
import type { KeyedOptions } from './markets';
import type { Query } from './operations';
import type { CallOptions } from './options';
import { byId, distinct, newestFirst, rowsOf, type AllQuery } from './pages';

export type PositionQuery = Query<'/public/positions'>;
export type HistoryQuery = Query<'/public/positions/history'>;
export type DepositQuery = Query<'/public/deposits'>;
export type EarningsQuery = Query<'/public/creator/earnings'>;
export type WithdrawalQuery = Query<'/public/withdrawals'>;

export interface Account {
  /** The wallet's money, and the value of its open positions, in USD. */
  balance(options?: CallOptions): Promise<Balance>;
  /** The wallet's positions. Default of `status`: `open`. */
  positions(query?: PositionQuery, options?: CallOptions): Promise<PositionList>;
  /** All positions that the query matches, page by page. Default of `status`: `open`. */
  allPositions(
    query?: AllQuery<PositionQuery>,
    options?: CallOptions,
  ): AsyncGenerator<Position, void, undefined>;
  /** The wallet's trades and payouts, newest first. */
  history(query?: HistoryQuery, options?: CallOptions): Promise<WalletHistory>;
  /** All trades and payouts of the wallet, newest first, page by page. */
  allHistory(options?: CallOptions): AsyncGenerator<WalletTrade, void, undefined>;
  /** What was credited to the wallet by operators and by payments, newest first. */
  deposits(query?: DepositQuery, options?: CallOptions): Promise<CreditList>;
  /** All deposits of the wallet, newest first, page by page. */
  allDeposits(options?: CallOptions): AsyncGenerator<Credit, void, undefined>;
  /** The markets that the wallet has created, newest first, with the fees that the wallet earned with each market. */
  earnings(query?: EarningsQuery, options?: CallOptions): Promise<CreatorEarnings>;
  /** All markets that the wallet has created, newest first, page by page. */
  allEarnings(options?: CallOptions): AsyncGenerator<MarketEarnings, void, undefined>;
  /** The quota of the key and its scopes. */
  limits(options?: CallOptions): Promise<Limits>;
}

export interface Withdrawals {
  /**
   * Withdraws this many USD to the wallet of the key, on the chain. If no answer comes, the client repeats the
   * request. The amount is withdrawn at most once.
   */
  request(amount: number, options?: KeyedOptions): Promise<Withdrawal>;
  /** The wallet's withdrawals, newest first. */
  list(query?: WithdrawalQuery, options?: CallOptions): Promise<WithdrawalList>;
  /** All withdrawals of the wallet, newest first, page by page. */
  all(options?: CallOptions): AsyncGenerator<Withdrawal, void, undefined>;
  /** One withdrawal of the wallet. */
  get(id: number, options?: CallOptions): Promise<Withdrawal>;
}

export function accountOf(call: Call): Account {
  const positions: Account['positions'] = listing(call, '/public/positions');
  const history: Account['history'] = listing(call, '/public/positions/history');
  const deposits: Account['deposits'] = listing(call, '/public/deposits');
  const earnings: Account['earnings'] = listing(call, '/public/creator/earnings');
  return {
    balance: (options) => call('get', '/public/balance', {}, options),
    positions,
    allPositions: rowsOf(
      positions,
      'positions',
      distinct(({ marketId, side }) => `${marketId} ${side}`),
    ),
    history,
    allHistory: (options) => rowsOf(history, 'trades', newestFirst)({}, options),
    deposits,
    allDeposits: (options) => rowsOf(deposits, 'deposits', byId)({}, options),
    earnings,
    allEarnings: (options) => rowsOf(earnings, 'markets', newestFirst)({}, options),
    limits: (options) => call('get', '/public/limits', {}, options),
  };
}

export function withdrawalsOf(call: Call): Withdrawals {
  const list: Withdrawals['list'] = listing(call, '/public/withdrawals');
  return {
    request: (amount, { idempotencyKey, ...options } = {}) =>
      call('post', '/public/withdrawals', { body: { amount } }, options, {
        idempotencyKey: idempotencyKey ?? newIdempotencyKey(),
      }),
    list,
    all: (options) => rowsOf(list, 'withdrawals', newestFirst)({}, options),
    get: naming(call, 'get', '/public/withdrawals/{id}'),
  };
}
