/** The history of the wallet: read in pages, filtered in the browser, and offered as a file. */
import type {
  Credit,
  MarketEarnings,
  Position,
  WalletTrade,
  Withdrawal,
} from '../../../src/client/api.generated';
import { client } from '../client';
import {
  base,
  element,
  find,
  localTime,
  messageOf,
  say,
  sharesInColumn,
  show,
  usd,
  type Child,
} from '../dom';
import { table } from '../table';
import { csvOf, movementsOf, type Life } from './statement';

/**
 * The most rows that the page reads, because its requests count against the quota of the key. The CSV file has all
 * rows.
 */
export const MOST_ROWS = 500;
const PAGE_ROWS = 25;

export interface History {
  rows: WalletTrade[];
  /** There are older rows that the page has not read. */
  isCut: boolean;
  positions: Position[];
}

export const side = (name: string): HTMLElement =>
  element('span', { class: `side ${name.toLowerCase()}` }, name);
export const gain = (amount: number): HTMLElement =>
  element('span', { class: amount < 0 ? 'loss' : 'gain' }, (amount > 0 ? '+' : '') + usd(amount));
export const marketLink = ({ slug, question }: Position): HTMLElement =>
  element(
    'a',
    { href: `${base}/market/${encodeURIComponent(slug)}`, dir: 'auto', class: 'question' },
    question,
  );

export async function readHistory(positions: Position[]): Promise<History> {
  const rows: WalletTrade[] = [];
  for await (const row of client.account.allHistory()) {
    if (rows.length === MOST_ROWS) return { rows, isCut: true, positions };
    rows.push(row);
  }
  return { rows, isCut: false, positions };
}

export interface Filter {
  kind: string;
  market: string;
  from: string;
  to: string;
}

const kindOf = (row: WalletTrade): string => (row.type === 'settlement' ? 'settlement' : row.action);

/** `from` and `to` are days in the reader's time zone. Both days are included. */
export function matching(rows: readonly WalletTrade[], { kind, market, from, to }: Filter): WalletTrade[] {
  const after = from === '' ? -Infinity : new Date(`${from}T00:00`).getTime();
  const before = to === '' ? Infinity : new Date(`${to}T23:59:59.999`).getTime();
  return rows.filter((row) => {
    const time = Date.parse(row.createdAt);
    return (
      (kind === '' || kindOf(row) === kind) &&
      (market === '' || String(row.marketId) === market) &&
      time >= after &&
      time <= before
    );
  });
}

export function createHistoryView(section: HTMLElement): (history: History) => void {
  const form = find<HTMLFormElement>('[data-filter]', section);
  const list = find('[data-history]', section);
  let known: History = { rows: [], isCut: false, positions: [] };
  let page = 0;

  function draw(): void {
    const rows = matching(known.rows, filterOf(form));
    const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
    page = Math.min(page, pages - 1);
    const shown = rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    const nothing = known.rows.length === 0 ? 'No trades yet.' : 'Nothing matches these filters.';
    list?.replaceChildren(
      rows.length === 0 ? element('p', { class: 'muted' }, nothing) : historyTable(shown, known.positions),
      ...(pages > 1 ? [pager(pages)] : []),
      ...(known.isCut
        ? [element('p', { class: 'muted' }, `The newest ${MOST_ROWS} rows. The CSV file has all of them.`)]
        : []),
    );
  }

  function pager(pages: number): HTMLElement {
    const turn = (text: string, to: number): HTMLElement => {
      const button = element('button', { type: 'button' }, text);
      button.toggleAttribute('disabled', to < 0 || to >= pages);
      button.addEventListener('click', () => {
        page = to;
        draw();
      });
      return button;
    };
    const place = element('span', { class: 'muted' }, `Page ${page + 1} of ${pages}`);
    return element('div', { class: 'pager' }, turn('Newer', page - 1), place, turn('Older', page + 1));
  }

  form?.addEventListener('input', () => {
    page = 0;
    draw();
  });
  form?.addEventListener('submit', (event) => event.preventDefault());
  find('[data-csv]', section)?.addEventListener('click', () => void download(section));
  return (history) => {
    known = history;
    fillMarkets(form, history);
    draw();
  };
}

function filterOf(form: HTMLFormElement | null): Filter {
  const fields = new FormData(form ?? undefined);
  const named = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { kind: named('kind'), market: named('market'), from: named('from'), to: named('to') };
}

function fillMarkets(form: HTMLFormElement | null, { rows, positions }: History): void {
  const select = form === null ? null : find<HTMLSelectElement>('[name=market]', form);
  if (select === null) return;
  const { value } = select;
  const traded = new Set(rows.map(({ marketId }) => marketId));
  const questions = new Map(positions.map(({ marketId, question }) => [marketId, question]));
  const options = [...questions].filter(([id]) => traded.has(id));
  select.replaceChildren(
    element('option', { value: '' }, 'All markets'),
    ...options.map(([id, question]) => element('option', { value: String(id) }, question)),
  );
  select.value = value;
}

function historyTable(rows: readonly WalletTrade[], positions: readonly Position[]): HTMLElement {
  const markets = new Map(positions.map((position) => [position.marketId, position]));
  const market = (id: number): Child => {
    const found = markets.get(id);
    return found === undefined
      ? element('a', { href: `${base}/market/${id}` }, 'the market')
      : marketLink(found);
  };
  return table('Trades and payouts, newest first', rows, [
    { title: 'Time', cell: (row) => localTime(row.createdAt) },
    { title: 'Market', cell: (row) => market(row.marketId) },
    { title: 'What', cell: (row) => WORDS[kindOf(row)] ?? kindOf(row) },
    { title: 'Side', cell: (row) => side(row.side) },
    { title: 'Shares', number: true, cell: (row) => sharesInColumn(row.shares) },
    { title: 'Fee', number: true, cell: (row) => usd(row.fee) },
    {
      title: 'Money',
      number: true,
      cell: (row) => usd(kindOf(row) === 'buy' ? -row.totalCost : row.totalCost),
    },
    { title: 'Profit', number: true, cell: (row) => (kindOf(row) === 'buy' ? '' : gain(row.realizedPnl)) },
  ]);
}

const WORDS: Record<string, string> = { buy: 'Bought', sell: 'Sold', settlement: 'Paid out' };

async function download(section: HTMLElement): Promise<void> {
  const message = find('[data-csv-message]', section);
  const button = find<HTMLButtonElement>('[data-csv]', section);
  if (button === null) return;
  button.disabled = true;
  try {
    const life = await readLife((rows) => say(message, `Reading… ${rows} rows so far.`));
    hand(csvOf(movementsOf(life)), find<HTMLAnchorElement>('[data-csv-file]', section));
    say(message, 'The file is ready. Its amounts add up to your balance.', 'good');
  } catch (error) {
    say(message, messageOf(error), 'bad');
  } finally {
    button.disabled = false;
  }
}

const MOST_TRIES = 3;
/** A pause for the quota of the key may take a minute. */
const PATIENT = { retry: { attempts: 10, totalMs: 300_000 } } as const;

/**
 * Reads everything again if the balance changes during the reading. Rejects if it changes in each of `MOST_TRIES`
 * readings.
 */
async function readLife(progress: (rows: number) => void): Promise<Life> {
  for (let tries = 1; ; tries += 1) {
    const before = await client.account.balance(PATIENT);
    const questions = new Map<number, string>();
    const history: WalletTrade[] = [];
    const deposits: Credit[] = [];
    const withdrawals: Withdrawal[] = [];
    const earnings: MarketEarnings[] = [];
    for await (const row of client.account.allPositions({ status: 'all' }, PATIENT))
      questions.set(row.marketId, row.question);
    for await (const row of client.account.allHistory(PATIENT)) {
      history.push(row);
      if (history.length % 100 === 0) progress(history.length);
    }
    for await (const row of client.account.allDeposits(PATIENT)) deposits.push(row);
    for await (const row of client.withdrawals.all(PATIENT)) withdrawals.push(row);
    for await (const row of client.account.allEarnings(PATIENT)) earnings.push(row);
    const after = await client.account.balance(PATIENT);
    if (before.balance === after.balance && before.reserved === after.reserved)
      return { history, deposits, withdrawals, earnings, balance: after.balance, questions };
    if (tries === MOST_TRIES)
      throw new Error('Your balance moves too fast for a statement. Try again later.');
  }
}

/**
 * Starts the download. The link stays, so that the reader can click it if the browser blocks the download.
 */
function hand(csv: string, link: HTMLAnchorElement | null): void {
  if (link === null) return;
  if (link.href !== '') URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  link.download = `statement-${new Date().toISOString().slice(0, 10)}.csv`;
  show(link, true);
  link.click();
}
