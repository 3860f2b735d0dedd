/**
 * Trades and postings are kept as one text for each row, because objects with bigints take much more memory. A
 * text becomes an object again at each read.
 */
import type { AccountId, Posting, Side, Trade, TradeAction } from '../../../src/domain/types';
import type { Rows } from './table';

class TextRows<Key, Row> implements Rows<Key, Row> {
  readonly #texts = new Map<Key, string>();
  readonly #textOf: (row: Row) => string;
  readonly #rowOf: (key: Key, text: string) => Row;

  constructor(textOf: (row: Row) => string, rowOf: (key: Key, text: string) => Row) {
    this.#textOf = textOf;
    this.#rowOf = rowOf;
  }

  get size(): number {
    return this.#texts.size;
  }

  get(key: Key): Row | undefined {
    const text = this.#texts.get(key);
    return text === undefined ? undefined : this.#rowOf(key, text);
  }

  has(key: Key): boolean {
    return this.#texts.has(key);
  }

  set(key: Key, row: Row): void {
    this.#texts.set(key, this.#textOf(row));
  }

  delete(key: Key): void {
    this.#texts.delete(key);
  }

  *values(): Generator<Row, void, undefined> {
    for (const [key, text] of this.#texts) yield this.#rowOf(key, text);
  }
}

export const tradeRows = (): Rows<number, Trade> => new TextRows(textOfTrade, tradeOfText);
export const postingRows = (): Rows<string, Posting> => new TextRows(textOfPosting, postingOfText);

/**
 * A row is its fields with spaces between them, because no field contains a space. JSON would take more memory.
 */
const wordsOf = (text: string): string[] => text.split(' ');
const textOf = (...words: readonly (string | number | bigint)[]): string => words.join(' ');

function textOfTrade(trade: Trade): string {
  const { type, marketId, wallet, side, action, shares, notional, fee, totalCost, realizedPnl } = trade;
  const amounts = [shares, notional, fee, totalCost, realizedPnl];
  return textOf(type, side, action, wallet, marketId, trade.yesPriceAfter, trade.createdAt, ...amounts);
}

function tradeOfText(id: number, text: string): Trade {
  const [type, side, action, wallet = '', ...figures] = wordsOf(text);
  const [marketId, yesPriceAfter, createdAt, ...amounts] = figures;
  const [shares = '', notional = '', fee = '', totalCost = '', realizedPnl = ''] = amounts;
  return {
    id,
    type: type as Trade['type'],
    marketId: Number(marketId),
    wallet,
    side: side as Side,
    action: action as TradeAction,
    shares: BigInt(shares),
    notional: BigInt(notional),
    fee: BigInt(fee),
    totalCost: BigInt(totalCost),
    realizedPnl: BigInt(realizedPnl),
    yesPriceAfter: Number(yesPriceAfter),
    createdAt: Number(createdAt),
  };
}

/** A posting without its reference, which is its key. */
function textOfPosting({ kind, createdAt, entries }: Posting): string {
  return textOf(kind, createdAt, ...entries.flatMap(({ account, amount }) => [account, amount]));
}

function postingOfText(reference: string, text: string): Posting {
  const [kind, createdAt, ...words] = wordsOf(text);
  const entries: Posting['entries'] = [];
  for (let at = 0; at < words.length; at += 2)
    entries.push({ account: words[at] as AccountId, amount: BigInt(words[at + 1] ?? '') });
  return { kind: kind as Posting['kind'], reference, createdAt: Number(createdAt), entries };
}
