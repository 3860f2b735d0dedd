/**
 * The search terms of questions. A word of a search is looked up as a range of terms. The second index serves
 * to check the other words of a search in the markets that were found. `fillMarketTerms` writes the terms of
 * stored markets.
 */
import type { Dialect } from '../dialect';

export function marketTerms({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('market_terms')} (
      term ${text} NOT NULL, market_id ${integer} NOT NULL, PRIMARY KEY (term, market_id)
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX market_terms_by_market ON ${table('market_terms')} (market_id, term)`,
  ];
}
