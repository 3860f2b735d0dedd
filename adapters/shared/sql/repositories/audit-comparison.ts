/**
 * Builds the audit's statements: two sets of figures are compared, and the statement returns only the
 * differences.
 */
import { MOST_DIFFERENCES, type AuditDifference } from '../../../../src/ports/storage/audit';

/** One figure of a comparison. `source` returns the stored and the computed value for each subject. */
export interface Figure {
  kind: AuditDifference['kind'];
  subject: string;
  stored: string;
  computed: string;
  source: string;
}

export function comparison(definitions: string, figures: readonly Figure[]): string {
  const selects = figures.map(
    ({ kind, subject, stored, computed, source }) =>
      `SELECT '${kind}' AS kind, ${subject} AS subject, CAST(${stored} AS TEXT) AS stored,
        CAST(${computed} AS TEXT) AS computed FROM ${source} WHERE ${stored} <> ${computed}`,
  );
  return `WITH ${definitions} ${selects.join(' UNION ALL ')} LIMIT ${MOST_DIFFERENCES}`;
}

/** The rows of one side of a comparison: a subject, and a column for each figure. */
export interface Source {
  from: string;
  subject: string;
  columns: Readonly<Record<string, string>>;
}

/**
 * A common table expression with `subject`, and with `stored_<figure>` and `computed_<figure>` for each figure.
 * A side without the subject has the figure 0. The rows of both sides are stacked and summed, because SQLite
 * would run a full join without an index.
 */
export function sideBySide(name: string, stored: Source, computed: Source): string {
  const figures = Object.keys(stored.columns);
  const side = (source: Source, role: 'stored' | 'computed'): string => {
    const columns = figures.flatMap((figure) =>
      (['stored', 'computed'] as const).map(
        (column) => `${column === role ? source.columns[figure] : '0'} AS ${column}_${figure}`,
      ),
    );
    return `SELECT ${source.subject} AS subject, ${columns.join(', ')} FROM ${source.from}`;
  };
  const sums = figures.map(
    (figure) => `sum(stored_${figure}) AS stored_${figure}, sum(computed_${figure}) AS computed_${figure}`,
  );
  return `${name} AS MATERIALIZED (
      SELECT subject, ${sums.join(', ')}
      FROM (${side(stored, 'stored')} UNION ALL ${side(computed, 'computed')}) AS stacked GROUP BY subject
    )`;
}
