/** The portfolio page. It is filled in from the API, with the key in this browser. */
import type { PositionListView, PositionView, WalletHistoryView } from '../../src/index';
import { api } from './api';
import { onAccountEvent, timers } from './live';
import { atMostEvery } from './live/at-most-every';
import {
  base,
  count,
  element,
  find,
  localTime,
  messageOf,
  percent,
  say,
  show,
  usd,
  type Child,
} from './page';
import { onSession, type Session } from './session';

/** A wallet that trades often must not use up the quota of its key here. */
const RELOAD_MS = 15_000;

export function startPortfolio(page: HTMLElement): void {
  let shown: string | null = null;
  const reload = atMostEvery(timers, RELOAD_MS, () => load(page));
  onAccountEvent(({ event }) => {
    if (event === 'account.trade' || event === 'account.settlement') reload();
  });
  onSession((session) => {
    show(find('[data-needs-key]'), session === null);
    show(page, session !== null);
    if (session === null) {
      shown = null;
      return;
    }
    find('[data-balance]', page)?.replaceChildren(...balanceRows(session));
    if (shown === session.address) return;
    shown = session.address;
    load(page).catch((error: unknown) => say(find('[data-message]', page), messageOf(error), 'bad'));
  });
}

async function load(page: HTMLElement): Promise<void> {
  const [open, closed, history] = await Promise.all([
    api<PositionListView>('GET', '/public/positions?status=open&limit=100'),
    api<PositionListView>('GET', '/public/positions?status=closed&limit=50'),
    api<WalletHistoryView>('GET', '/public/positions/history?limit=50'),
  ]);
  fill(page, '[data-positions]', openTable(open.positions), 'No open positions.');
  fill(page, '[data-closed]', closedTable(closed.positions), 'No closed positions.');
  fill(page, '[data-history]', historyTable(history), 'No trades yet.');
}

function fill(page: HTMLElement, selector: string, table: HTMLElement | null, nothing: string): void {
  find(selector, page)?.replaceChildren(table ?? element('p', { class: 'muted' }, nothing));
}

function balanceRows(session: NonNullable<Session>): HTMLElement[] {
  const rows: [string, string][] = [
    ['Available', usd(session.available)],
    ['Reserved', usd(session.reserved)],
    ['Positions, if sold now', usd(session.positionsValue)],
    ['Together', usd(session.balance + session.positionsValue)],
  ];
  return rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
}

interface Column<Row> {
  title: string;
  number?: boolean;
  cell(row: Row): Child;
}

function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): HTMLElement | null {
  if (rows.length === 0) return null;
  const kind = (column: Column<Row>): Record<string, string> =>
    column.number === true ? { class: 'number' } : {};
  const head = columns.map((column) => element('th', { scope: 'col', ...kind(column) }, column.title));
  const body = rows.map((row) =>
    element('tr', {}, ...columns.map((column) => element('td', kind(column), column.cell(row)))),
  );
  return element(
    'div',
    { class: 'scroll' },
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)),
  );
}

const marketColumn: Column<PositionView> = {
  title: 'Market',
  cell: (row) =>
    element(
      'a',
      { href: `${base}/market/${encodeURIComponent(row.slug)}`, dir: 'auto', class: 'question' },
      row.question,
    ),
};
const side = (name: 'YES' | 'NO'): HTMLElement =>
  element('span', { class: `side ${name.toLowerCase()}` }, name);
const gain = (amount: number): HTMLElement =>
  element('span', { class: amount < 0 ? 'loss' : 'gain' }, (amount > 0 ? '+' : '') + usd(amount));

function openTable(rows: readonly PositionView[]): HTMLElement | null {
  return table(rows, [
    marketColumn,
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Shares', number: true, cell: (row) => count(row.shares) },
    { title: 'Paid', number: true, cell: (row) => `${usd(row.costBasis)} (${percent(row.avgPrice)})` },
    { title: 'Now', number: true, cell: (row) => `${usd(row.currentValue)} (${percent(row.currentPrice)})` },
    { title: 'Profit', number: true, cell: (row) => gain(row.unrealizedPnl) },
  ]);
}

function closedTable(rows: readonly PositionView[]): HTMLElement | null {
  return table(rows, [
    marketColumn,
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Fees', number: true, cell: (row) => usd(row.feesPaid) },
    { title: 'Profit', number: true, cell: (row) => gain(row.realizedPnl) },
  ]);
}

function historyTable({ trades }: WalletHistoryView): HTMLElement | null {
  return table(trades, [
    { title: 'Time', cell: (row) => localTime(row.createdAt) },
    {
      title: 'Market',
      cell: (row) => element('a', { href: `${base}/market/${row.marketId}` }, `#${row.marketId}`),
    },
    { title: 'What', cell: (row) => (row.type === 'settlement' ? 'payout' : row.action) },
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Shares', number: true, cell: (row) => count(row.shares) },
    { title: 'Total', number: true, cell: (row) => usd(row.totalCost) },
    { title: 'Profit', number: true, cell: (row) => (row.action === 'buy' ? '' : gain(row.realizedPnl)) },
  ]);
}
