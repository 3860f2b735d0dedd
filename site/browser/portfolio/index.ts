import type { Position } from '../../../src/client/api.generated';
import { client } from '../client';
import { onPositionsChanged, timers } from '../live';
import { atMostEvery } from '../live/at-most-every';
import { loads } from '../loads';
import { base, element, find, percent, sharesInColumn, show, usd } from '../dom';
import { onSession, type VisitorSession } from '../session';
import { canSign, CANNOT_SIGN } from '../signing';
import { table } from '../table';
import { createHistoryView, gain, marketLink, readHistory, side, type History } from './history';
import { createValueView, readValueLine, type ValueLine } from './value-view';
import { startDeposit, startWithdraw, startWithdrawals } from './money';

/**
 * Messages cause a reading at most once in this time, so that a wallet that trades often does not use up the quota of
 * its key.
 */
const RELOAD_MS = 15_000;

export function startPortfolio(page: HTMLElement): void {
  const deposit = find<HTMLFormElement>('[data-deposit]', page);
  const withdraw = find<HTMLFormElement>('[data-withdraw]', page);
  const list = find('[data-withdrawals]', page);
  const positions = find('[data-holdings]', page);
  const section = find('[data-history-section]', page);
  const value = find('[data-value]', page);
  if (!deposit || !withdraw || !list || !positions || !section || !value) return;

  const showHistory = createHistoryView(section);
  const showValue = createValueView(value);
  const load = loads(positions, read, ({ history, line }) => {
    showHistory(history);
    showValue(line);
    return drawPositions(history);
  });
  const loadWithdrawals = startWithdrawals(list);
  const drawDeposit = startDeposit(deposit);
  const drawWithdraw = startWithdraw(withdraw, loadWithdrawals);
  let shown: string | null = null;
  const reload = atMostEvery(timers, RELOAD_MS, load);
  onPositionsChanged(reload);
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
    const notice = find('[data-cannot-sign]', page);
    notice?.replaceChildren(CANNOT_SIGN);
    show(notice, !canSign());
    drawDeposit();
    drawWithdraw();
    loadWithdrawals();
    void load();
  });
}

async function read(): Promise<{ history: History; line: ValueLine }> {
  const positions: Position[] = [];
  for await (const position of client.account.allPositions({ status: 'all' })) positions.push(position);
  const history = await readHistory(positions);
  return { history, line: await readValueLine(history) };
}

function balanceRows(session: NonNullable<VisitorSession>): HTMLElement[] {
  const rows: [string, string][] = [
    ['Available', usd(session.available)],
    ['Reserved for withdrawals', usd(session.reserved)],
    ['Positions, if sold now', usd(session.positionsValue)],
    ['Together', usd(session.balance + session.positionsValue)],
  ];
  return rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
}

function drawPositions(history: History): HTMLElement[] {
  // Keeps both sides of a market together.
  const byMarket = [...history.positions].sort((left, right) => right.marketId - left.marketId);
  const open = byMarket.filter(({ shares }) => shares > 0);
  const closed = byMarket.filter(({ shares }) => shares === 0);
  return [
    part('Open positions', openTable(open), 'No open positions. Find a market to take one.'),
    part('Closed positions', closedTable(closed, history), 'No closed positions.'),
  ];
}

function part(title: string, rows: HTMLElement | null, nothing: string): HTMLElement {
  const body = rows ?? element('p', { class: 'muted' }, nothing);
  const name = title.startsWith('Open') ? 'data-positions' : 'data-closed';
  return element('section', { class: 'panel', [name]: '' }, element('h2', {}, title), body);
}

function openTable(rows: readonly Position[]): HTMLElement | null {
  if (rows.length === 0) return null;
  return table('Open positions', rows, [
    { title: 'Market', cell: marketLink },
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Shares', number: true, cell: (row) => sharesInColumn(row.shares) },
    { title: 'Paid', number: true, cell: (row) => `${usd(row.costBasis)} (${percent(row.avgPrice)})` },
    {
      title: 'Worth now',
      number: true,
      cell: (row) => `${usd(row.currentValue)} (${percent(row.currentPrice)})`,
    },
    { title: 'Profit', number: true, cell: (row) => gain(row.unrealizedPnl) },
    { title: 'Sell', cell: sellLink },
  ]);
}

function sellLink({ slug, status, side: held, question }: Position): HTMLElement {
  if (status !== 'open') return element('span', { class: 'muted' }, 'waits for the result');
  const href = `${base}/market/${encodeURIComponent(slug)}?side=${held}&action=sell#ticket-title`;
  return element('a', { href, 'aria-label': `Sell ${held} of ${question}` }, 'Sell');
}

function closedTable(rows: readonly Position[], { rows: history, isCut }: History): HTMLElement | null {
  if (rows.length === 0) return null;
  const payout = ({ marketId, side: held }: Position): string => {
    const paid = history.filter(
      (row) => row.type === 'settlement' && row.marketId === marketId && row.side === held,
    );
    if (paid.length > 0) return usd(paid.reduce((sum, { totalCost }) => sum + totalCost, 0));
    return isCut ? 'see the CSV file' : 'none';
  };
  return table('Closed positions', rows, [
    { title: 'Market', cell: marketLink },
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Payout', number: true, cell: payout },
    { title: 'Fees', number: true, cell: (row) => usd(row.feesPaid) },
    { title: 'Profit', number: true, cell: (row) => gain(row.realizedPnl) },
  ]);
}
