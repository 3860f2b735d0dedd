/**
 * The markets whose question has every word of a search as the beginning of a term. The longest word, which is
 * likely the rarest, is looked up in the index by term. The other words are checked for each market found.
 */
import type { MarketListQuery, MarketRecord } from '../../../../src/ports/storage';
import { integer } from '../row-columns';
import type { Dialect } from '../dialect';
import { creatorJoin, marketRecordColumns, toMarketRecord } from '../row-mappers';
import { encodeRows, type BindValue, type Session } from '../session';

const ORDERS: Record<MarketListQuery['sort'], string> = {
  volume_desc: 'm.volume DESC, m.id DESC',
  created_desc: 'm.id DESC',
  resolve_asc: 'm.resolve_date, m.id',
};

/**
 * No term has a character that sorts after this one, so it ends the range of the terms that begin with a
 * word.
 */
const LAST_CHARACTER = '\u{10FFFF}';

export function marketSearch(dialect: Dialect) {
  return async function search(
    session: Session,
    query: MarketListQuery & { words: readonly string[] },
  ): Promise<{ markets: MarketRecord[]; total: number }> {
    const { from, bind } = matchesOf(dialect, query);
    const [counted] = await session.query(`SELECT count(*) AS total ${from}`, bind);
    const page = [...bind, query.limit, query.offset];
    const order = ORDERS[query.sort];
    const rows = await session.query(
      `WITH page AS (SELECT m.id AS id ${from} ORDER BY ${order} LIMIT $${page.length - 1} OFFSET $${page.length})
      SELECT ${marketRecordColumns(dialect)} FROM page JOIN ${dialect.table('markets')} m ON m.id = page.id
      ${creatorJoin(dialect)} ORDER BY ${order}`,
      page,
    );
    return {
      markets: rows.map(toMarketRecord),
      total: counted === undefined ? 0 : integer(counted, 'total'),
    };
  };
}

/** The FROM and WHERE of a search, with `m` as the market. */
function matchesOf(
  dialect: Dialect,
  { words, status, category, now }: MarketListQuery & { words: readonly string[] },
): { from: string; bind: BindValue[] } {
  const bind: BindValue[] = [];
  const add = (value: BindValue): string => `$${bind.push(value)}`;
  const terms = dialect.table('market_terms');
  const begins = (alias: string, word: string): string =>
    `${alias}.term >= ${add(word)} AND ${alias}.term < ${add(`${word}${LAST_CHARACTER}`)}`;
  const [first = '', ...others] = [...words].sort((a, b) => b.length - a.length);
  const found = `(SELECT DISTINCT t.market_id FROM ${terms} t WHERE ${begins('t', first)}) AS found`;
  const conditions = ['m.id = found.market_id'];
  for (const word of others)
    conditions.push(`EXISTS (SELECT 1 FROM ${terms} o WHERE o.market_id = m.id AND ${begins('o', word)})`);
  if (category !== undefined) conditions.push(`m.category = ${add(category)}`);
  if (status === 'open') conditions.push(`m.status = 'open' AND m.resolve_date > ${add(now)}`);
  if (status === 'resolving')
    conditions.push(`(m.status = 'resolving' OR (m.status = 'open' AND m.resolve_date <= ${add(now)}))`);
  if (status === 'resolved') conditions.push(`m.status = 'resolved'`);
  // SQLite reads the tables of a CROSS JOIN in the written order. So SQLite looks up each found market by its id,
  // and does not read all markets.
  const from = `FROM ${found} CROSS JOIN ${dialect.table('markets')} m WHERE ${conditions.join(' AND ')}`;
  return { from, bind };
}

export function termsStatement(dialect: Dialect): string {
  return `WITH ${dialect.rows({ term: 'text', market_id: 'integer' })}
    INSERT INTO ${dialect.table('market_terms')} (term, market_id) SELECT term, market_id FROM r`;
}

export function encodeTerms(questions: readonly { id: number; terms: readonly string[] }[]): string {
  return encodeRows(questions.flatMap(({ id, terms }) => terms.map((term) => [term, id])));
}
