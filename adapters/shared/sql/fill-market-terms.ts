/**
 * Writes the search terms of stored markets, in chunks. A change of `searchTerms` needs a further migration that
 * fills the terms again.
 */
import { searchTerms } from '../../../src/domain/search-terms';
import type { Dialect } from './dialect';
import { encodeTerms, termsStatement } from './repositories/market-search';
import { integer, text } from './row-columns';
import type { Session } from './session';

const CHUNK = 500;

export async function fillMarketTerms(dialect: Dialect, session: Session): Promise<void> {
  const next = `SELECT id, question FROM ${dialect.table('markets')} WHERE id > $1 ORDER BY id LIMIT ${CHUNK}`;
  const insert = termsStatement(dialect);
  for (let after: number | null = 0; after !== null;) {
    const rows = await session.query(next, [after]);
    const questions = rows.map((row) => ({
      id: integer(row, 'id'),
      terms: searchTerms(text(row, 'question')),
    }));
    await session.query(insert, [encodeTerms(questions)]);
    after = questions.length < CHUNK ? null : (questions.at(-1)?.id ?? null);
  }
}
