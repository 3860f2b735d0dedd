/** Tables of the pages that the browser fills. On phones a row becomes a block, and each cell names its column. */
import { element, type Child } from './dom';

export interface Column<Row> {
  title: string;
  number?: boolean;
  cell(row: Row): Child;
}

/** `caption` is for screen readers. Roles are written out, because rows that are shown as blocks lose their roles. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): HTMLElement {
  const kind = ({ number }: Column<Row>): Record<string, string> =>
    number === true ? { class: 'number' } : {};
  const head = columns.map((column) =>
    element('th', { scope: 'col', role: 'columnheader', ...kind(column) }, column.title),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      { role: 'row' },
      ...columns.map((column) =>
        element('td', { role: 'cell', 'data-label': column.title, ...kind(column) }, column.cell(row)),
      ),
    ),
  );
  return element(
    'table',
    { class: 'stack', role: 'table' },
    element('caption', { class: 'hidden' }, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...body),
  );
}
