/**
 * The types of the inputs of the typed methods, except those for operators (operator-inputs.ts).
 *
 * USD and shares are numbers with at most 6 decimals. Prices are numbers from 0 to 1. Instants are ISO 8601 texts
 * with an offset. Addresses are EVM addresses in lower case, upper case or correct EIP-55 form (docs/specification.md
 * "Validation").
 */
import type { CandleInterval } from './domain/candles';
import type { BoundValues, ORDER_BOUNDS } from './domain/order-terms';
import type {
  Category,
  ChallengeAction,
  ChallengeFormat,
  MarketStatus,
  Scope,
  Side,
  TradeAction,
} from './domain/types';
import type { MarketSort, PositionStatus } from './ports/storage';

/** A market's numeric id, ticker (`PM-0001`) or slug. */
export type MarketInput = number | string;

export interface PageInput {
  /** How many rows to return: 1 or more; at most 100 are served. Default 20. */
  limit?: number | undefined;
  /** How many rows to skip. Default 0. */
  offset?: number | undefined;
}
export interface AddressInput {
  /** An EVM address in lower case, upper case or correct EIP-55 form. */
  address: string;
}
export interface WalletInput {
  /** The EVM address of the wallet, in lower case, upper case or correct EIP-55 form. */
  wallet: string;
}
export interface MarketReferenceInput {
  /** The market: its numeric id, its ticker (`PM-0001`) or its slug. */
  market: MarketInput;
}

// --- keys and creators ---
export interface ChallengeInput extends AddressInput {
  /** What the signature is for. */
  action: ChallengeAction;
  /** The id of the key. Required for `revoke` and `regenerate`, refused for other actions. */
  keyId?: number | undefined;
  /** Default `text`. `siwe` is a message by EIP-4361 and needs the option `baseUrl`. */
  format?: ChallengeFormat | undefined;
}
export interface SignedInput extends AddressInput {
  /** The message of the challenge, unchanged. */
  message: string;
  /** The EIP-191 signature of the message: 65 bytes as 0x and hex digits. */
  signature: string;
  /** The nonce of the challenge. A failed attempt uses the nonce up too. */
  nonce: string;
}
export interface IssueKeyInput extends SignedInput {
  /** The name of the key in lists: one line of at most 100 characters. */
  label?: string | undefined;
  /** Default: all scopes. */
  scopes?: Scope[] | undefined;
}
export interface ManageKeyInput extends SignedInput {
  /** The id of the key. */
  id: number;
}
export interface ApplyAsCreatorInput extends SignedInput {
  /** The name that markets of this creator show: one line of at most 50 characters. */
  displayName?: string | undefined;
  /** What operators read about the creator: at most 1,000 characters. */
  statement?: string | undefined;
}

// --- markets and trades ---
/** Any text. Editors offer the categories that markets have. */
export type CategoryFilter = Category | (string & {});
export interface ListMarketsInput extends PageInput {
  /** The status that the market shows now. From its resolve date until its resolution, a market is `resolving`. */
  status?: MarketStatus | undefined;
  /** A category, in upper or lower case. An unknown category matches no market. */
  category?: CategoryFilter | undefined;
  /**
   * Words of the question, or their beginnings: at most 200 characters and 8 words. Every word has to be in the
   * question. Case and accents do not count.
   */
  q?: string | undefined;
  /** Default `volume_desc`. */
  sort?: MarketSort | undefined;
}
export interface CreateMarketInput {
  /** The address of an approved creator. */
  creator: string;
  /** A question to be answered with yes or no: one line of at most 280 characters. */
  question: string;
  /** More about the question, in Markdown: at most 2,000 characters. */
  description?: string | undefined;
  /** What decides the outcome, for the oracle: at most 1,000 characters. */
  resolutionCriteria: string;
  /** When trading ends: an ISO 8601 text with an offset, at least 1 hour ahead. */
  resolveDate: string;
  /** The subject of the market. */
  category: Category;
}
export interface ListTradesInput extends MarketReferenceInput, PageInput {
  /** Only trades of this side. Default: both. */
  side?: Side | undefined;
}
export interface QuoteInput extends MarketReferenceInput {
  /** The side of the quote. Required with `amount` or `shares`. */
  side?: Side | undefined;
  /** Default `buy`. */
  action?: TradeAction | undefined;
  /** In USD, fee included; for buys only. Give either `amount` or `shares`. Without both, `quote` is null. */
  amount?: number | undefined;
  /** How many shares to buy or sell, with at most 6 decimals. Give either `amount` or `shares`. */
  shares?: number | undefined;
}
export interface PriceHistoryInput extends MarketReferenceInput {
  /** Default `1h`. */
  interval?: CandleInterval | undefined;
  /** The first instant of the range: an ISO 8601 text with an offset. */
  startTime?: string | undefined;
  /** The end of the range, which the range does not include: an ISO 8601 text with an offset. */
  endTime?: string | undefined;
  /** How many candles to return: 1 or more; at most 500, the newest, are served. Default 500. */
  limit?: number | undefined;
}
/** The caller's conditions on an order, each in USD, in shares or as a price. */
export type OrderBoundsInput = BoundValues<number | undefined>;
export interface OrderFields extends WalletInput, MarketReferenceInput, OrderBoundsInput {
  /** The side of the shares. A share pays 1 USD if its side wins. */
  side: Side;
  /** Default `buy`. */
  action?: TradeAction | undefined;
  /** The USD to spend, fee included, with at most 6 decimals; for buys only. Give either `amount` or `shares`. */
  amount?: number | undefined;
  /** How many shares to buy or sell, with at most 6 decimals. `all` sells the whole position. */
  shares?: number | 'all' | undefined;
  /**
   * 1 to 128 printable ASCII characters. For at least 24 hours, the same order with the same key is executed
   * once.
   */
  idempotencyKey?: string | undefined;
}
/** The bounds of one action. The bounds of the other action must be absent. */
export type BoundsOf<Action extends TradeAction> = {
  [Name in keyof OrderBoundsInput]?: (typeof ORDER_BOUNDS)[Name]['action'] extends Action
    ? number | undefined
    : undefined;
};
export type CommonOrderFields = Omit<OrderFields, 'action' | 'amount' | 'shares' | keyof OrderBoundsInput>;
/** What both kinds of buys share. */
export interface CommonBuyFields extends CommonOrderFields, BoundsOf<'buy'> {
  /** Default `buy`. */
  action?: 'buy' | undefined;
}
/** A sale, with the bounds of sales. Its size is in shares. */
export interface SellInput extends CommonOrderFields, BoundsOf<'sell'> {
  /** Required, because an order without `action` is a buy. */
  action: 'sell';
  /** For buys only. */
  amount?: undefined;
  /** How many shares to sell, with at most 6 decimals. `all` sells the whole position. */
  shares: number | 'all';
}
/** A buy of a number of shares, with the bounds of buys. */
export interface BuyOfSharesInput extends CommonBuyFields {
  /** Absent in an order with `shares`. */
  amount?: undefined;
  /** How many shares to buy, with at most 6 decimals. A buy cannot buy `'all'`. */
  shares: number;
}
/** A buy for a sum of money, with the bounds of buys. */
export interface BuyForAmountInput extends CommonBuyFields {
  /** The USD to spend, fee included, with at most 6 decimals. */
  amount: number;
  /** Absent in an order with `amount`. */
  shares?: undefined;
}
/** A buy, with the bounds of buys. Its size is in USD or in shares. */
export type BuyInput = BuyOfSharesInput | BuyForAmountInput;
/** The size of an order: either the USD to spend, or the shares to buy or sell. */
export type OrderSizeInput =
  Pick<SellInput, 'amount' | 'shares'> | Pick<BuyForAmountInput, 'amount' | 'shares'>;
/** An order. The type excludes an order that mixes the fields of buys and sales, which the service refuses. */
export type PlaceTradeInput = SellInput | BuyInput;

// --- a wallet's own data ---
export interface ListPositionsInput extends WalletInput, PageInput {
  /** Default `open`. */
  status?: PositionStatus | undefined;
}
export interface ListWalletHistoryInput extends WalletInput, PageInput {}
export interface RequestWithdrawalInput extends WalletInput {
  /** In USD, with at most 6 decimals. The smallest amount is what the option `smallestWithdrawal` says. */
  amount: number;
  /**
   * 1 to 128 printable ASCII characters. For at least 24 hours, the same request with the same key is
   * executed once.
   */
  idempotencyKey?: string | undefined;
}
export interface ListDepositsInput extends WalletInput, PageInput {}
export interface ListEarningsInput extends WalletInput, PageInput {}
export interface ListWithdrawalsInput extends WalletInput, PageInput {}
export interface GetWithdrawalInput extends WalletInput {
  /** The number of the withdrawal. */
  id: number;
}

// --- what the pay-per-request API sells ---
export interface MarketFeedInput {
  /** A category, in upper or lower case. An unknown category matches no market. */
  category?: CategoryFilter | undefined;
  /** How many markets to return: 1 or more; at most 100 are served. Default 100. */
  limit?: number | undefined;
}
export interface QuestionInput {
  /** A question to be answered with yes or no. */
  question: string;
  /** What decides the answer: at most 1,000 characters. */
  resolutionCriteria?: string | undefined;
}
export interface MarketQuestionInput {
  /** The market whose question the oracle is asked. */
  marketId: number;
}
