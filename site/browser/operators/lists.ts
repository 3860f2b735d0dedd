/** Lists that are read a page at a time. */
import { element, say } from '../dom';
import { explain, noticeRefusal } from './failures';
import { button } from './parts';

export const PAGE_SIZE = 20;

export interface PageRange {
  limit: number;
  offset: number;
}
export interface PageOf<Row> {
  rows: readonly Row[];
  /** The number of all rows, if the API gives it. */
  total?: number;
  hasMore: boolean;
}
export interface ListOptions<Row> {
  read: (window: PageRange) => Promise<PageOf<Row>>;
  draw: (rows: readonly Row[]) => HTMLElement[];
  empty: string;
  /** Further buttons beside those of the list. */
  beside?: readonly HTMLElement[];
}
export interface List {
  element: HTMLElement;
  /** Reads the first page. */
  reload(): void;
}

/** The page of an answer that has a `total` and no `hasMore`. */
export function pageOf<Row>(
  rows: readonly Row[],
  { total, offset }: { total: number; offset: number },
): PageOf<Row> {
  return { rows, total, hasMore: offset + rows.length < total };
}

export function pagedList<Row>({ read, draw, empty, beside = [] }: ListOptions<Row>): List {
  const status = element('p', { class: 'muted', role: 'status', tabindex: '-1' });
  const rows = element('div', { class: 'operators-rows' });
  const previous = button('Previous', () => void show(offset - PAGE_SIZE, true));
  const next = button('Next', () => void show(offset + PAGE_SIZE, true));
  const again = button('Load again', () => void show(offset, true));
  const pager = element('div', { class: 'operators-actions' }, previous, next, again, ...beside);
  let offset = 0;
  /** The number of the newest reading. The answer to an older reading is dropped. */
  let reading = 0;

  async function show(from: number, isAsked = false): Promise<void> {
    reading += 1;
    const mine = reading;
    say(status, 'Loading…');
    try {
      const page = await read({ limit: PAGE_SIZE, offset: Math.max(from, 0) });
      if (mine !== reading) return;
      // Operators may have dealt with all rows of this page meanwhile, so the first page is read.
      if (page.rows.length === 0 && from > 0) return await show(0, isAsked);
      offset = Math.max(from, 0);
      drawPage(page);
    } catch (error) {
      if (mine !== reading) return;
      say(status, explain(error), 'bad');
      noticeRefusal(error);
    }
    if (isAsked) status.focus();
  }
  function drawPage(page: PageOf<Row>): void {
    rows.replaceChildren(...(page.rows.length === 0 ? [] : draw(page.rows)));
    const last = offset + page.rows.length;
    const of = page.total === undefined ? '' : ` of ${page.total}`;
    say(status, page.rows.length === 0 ? empty : `${offset + 1} to ${last}${of}`);
    previous.hidden = offset === 0;
    next.hidden = !page.hasMore;
  }
  previous.hidden = true;
  next.hidden = true;
  void show(0);
  return { element: element('div', {}, status, rows, pager), reload: () => void show(0) };
}

export interface Choice {
  label: string;
  /** The parameter of the page's address that keeps the choice. */
  parameter: string;
  choices: readonly (readonly [string, string])[];
}

/** A select box whose choice is kept in the address of the page, so that the choice survives a reload. */
export function choice(
  { label, parameter, choices }: Choice,
  onChange: () => void,
): { element: HTMLElement; value: () => string } {
  const asked = new URLSearchParams(location.search).get(parameter);
  const select = element(
    'select',
    { id: `choose-${parameter}` },
    ...choices.map(([value, words]) => element('option', { value }, words)),
  ) as HTMLSelectElement;
  if (choices.some(([value]) => value === asked)) select.value = asked ?? '';
  select.addEventListener('change', () => {
    keepInAddress(parameter, select.value);
    onChange();
  });
  const frame = element('div', { class: 'operators-choice' });
  frame.append(element('label', { for: `choose-${parameter}` }, label), select);
  return { element: frame, value: () => select.value };
}

export function keepInAddress(parameter: string, value: string): void {
  const query = new URLSearchParams(location.search);
  query.set(parameter, value);
  history.replaceState(null, '', `${location.pathname}?${query.toString()}`);
}
