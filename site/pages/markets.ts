import type { MarketListView, MarketView } from '../../src/index';
import { CATEGORIES, categoryName, choiceNamed, SORTS, STATUSES } from '../choices';
import { day, percent, shortUsd } from '../format';
import { html, type SafeHtml } from '../html';
import type { Page, View } from '../layout';
import { emptyStart } from './empty-start';
import type { Operators } from './operators';

export const PAGE_SIZE = 24;

export interface ListFilter {
  status: (typeof STATUSES)[number][0];
  category: string;
  sort: (typeof SORTS)[number][0];
  /** The words that a question has to contain. */
  q: string;
  /** Counts from 1. */
  page: number;
}

/** Reads the query. A value that is not understood falls back to the default. */
export function readFilter(query: URLSearchParams): ListFilter {
  const status = choiceNamed(STATUSES, query.get('status')) ?? 'open';
  const category = choiceNamed(CATEGORIES, query.get('category')) ?? '';
  const sort = choiceNamed(SORTS, query.get('sort')) ?? 'volume_desc';
  const q = (query.get('q') ?? '').trim();
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return { status: query.has('status') ? status : 'open', category, sort, q, page };
}

export function marketsPage(
  view: View,
  filter: ListFilter,
  list: MarketListView,
  operators: Operators | null,
): Page {
  const pages = Math.max(1, Math.ceil(list.total / PAGE_SIZE));
  return {
    status: 200,
    title: filter.category === '' ? view.title : titleOf(filter),
    description: `${titleOf(filter)}: trade on the answers to yes/no questions.`,
    // Search engines should not index searches, so a search has no canonical path.
    ...(filter.q === '' && { canonicalPath: listPath(filter.category) }),
    section: 'markets',
    script: 'markets',
    body: html`
<div class="heading"><h1>${titleOf(filter)}</h1><p class="muted" data-market-count>${countOf(list.total)}</p></div>
${filterForm(view, filter)}
${isBare(filter, list) && emptyStart(view, operators)}
<div id="live-list">${marketCards(view, list.markets)}</div>
${pages > 1 && pager(view, filter, pages)}`,
  };
}

/** The address of the list below the mount path. */
function listPath(category: string): string {
  return category === '' ? '/' : `/categories/${category}`;
}

export function categoryAddress({ base }: Pick<View, 'base'>, category: string): string {
  return `${base}${listPath(category)}`;
}

function titleOf({ category }: ListFilter): string {
  return category === '' ? 'Markets' : `${categoryName(category)} markets`;
}

/** Tells of an unknown category and names the known ones. */
export function unknownCategoryPage(view: View): Page {
  const filter = readFilter(new URLSearchParams());
  return {
    status: 404,
    title: 'No such category',
    section: 'markets',
    body: html`
<div class="heading"><h1>No such category</h1></div>
${categoryChips(view, filter)}
<div class="empty"><p>There is no category of this name. Choose one above, or <a href="${view.base}/">show all markets</a>.</p></div>`,
  };
}

/** Whether the list is empty although the reader has chosen no filter. */
function isBare({ status, category, q, page }: ListFilter, { total }: MarketListView): boolean {
  return total === 0 && status === 'open' && category === '' && q === '' && page === 1;
}

export const countOf = (markets: number): string => (markets === 1 ? '1 market' : `${markets} markets`);

/** The cards of the list. The script of the page draws them too. */
export function marketCards(view: Pick<View, 'base'>, markets: readonly MarketView[]): SafeHtml {
  if (markets.length === 0) {
    return html`<div class="empty"><p>No market matches.</p><p><a href="${view.base}/?status=">Show all markets</a> or <a href="${view.base}/creators">open a market</a>.</p></div>`;
  }
  return html`<ul class="cards">${markets.map((market) => card(view, market))}</ul>`;
}

function card(view: Pick<View, 'base'>, market: MarketView): SafeHtml {
  return html`<li class="card">
  <p class="tags"><a class="tag" href="${categoryAddress(view, market.category)}">${market.category}</a>${market.status !== 'open' && html`<span class="tag ${market.status}">${market.status}</span>`}</p>
  <h2 dir="auto"><a href="${view.base}/market/${encodeURIComponent(market.slug)}">${market.question}</a></h2>
  <p class="chance"><strong>${percent(market.yesPrice)}</strong> <span class="muted">${chanceWord(market)}</span></p>
  <progress max="1" value="${market.yesPrice}" aria-label="Price of YES">${percent(market.yesPrice)}</progress>
  <p class="card-foot muted"><span>${shortUsd(market.volume)} traded</span><span>${closing(market)}</span></p>
</li>`;
}

function chanceWord(market: MarketView): string {
  return market.status === 'resolved' ? 'final' : 'chance';
}

function closing(market: MarketView): string {
  return `${market.status === 'open' ? 'closes' : 'closed'} ${day(market.resolveDate)}`;
}

function address(view: View, filter: ListFilter, change: Partial<ListFilter>): string {
  const { category, ...others } = { ...filter, page: 1, ...change };
  const query = queryOf(others);
  return `${categoryAddress(view, category)}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The parameters that differ from their defaults. */
function queryOf({ status, sort, q, page }: Omit<ListFilter, 'category'>, more = {}): URLSearchParams {
  const query = new URLSearchParams(more);
  if (status !== 'open') query.set('status', status);
  if (sort !== 'volume_desc') query.set('sort', sort);
  if (q !== '') query.set('q', q);
  if (page !== 1) query.set('page', String(page));
  return query;
}

function categoryChips(view: View, filter: ListFilter): SafeHtml {
  const category = (value: string, text: string): SafeHtml =>
    html`<a class="chip" href="${address(view, filter, { category: value })}"${filter.category === value && html` aria-current="true"`}>${text}</a>`;
  return html`<nav class="chips" aria-label="Category">${[category('', 'All'), ...CATEGORIES.map(([value, text]) => category(value, text))]}</nav>`;
}

function filterForm(view: View, filter: ListFilter): SafeHtml {
  return html`<div class="filters" data-list="${queryOf(filter, { category: filter.category }).toString()}">
  ${categoryChips(view, filter)}
  <form method="get" action="${categoryAddress(view, filter.category)}" data-submit-on-change>
    <label class="search"><span class="hidden">Search the questions</span><input type="search" name="q" value="${filter.q}" maxlength="200" placeholder="Search the questions" dir="auto"></label>
    <label>Status ${options('status', STATUSES, filter.status)}</label>
    <label>Order ${options('sort', SORTS, filter.sort)}</label>
    <button class="secondary">Search</button>
  </form>
</div>`;
}

function options(name: string, choices: readonly (readonly [string, string])[], chosen: string): SafeHtml {
  return html`<select name="${name}">${choices.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>`;
}

function pager(view: View, filter: ListFilter, pages: number): SafeHtml {
  const { page } = filter;
  return html`<nav class="pager" aria-label="Pages">
  ${page > 1 ? html`<a rel="prev" href="${address(view, filter, { page: Math.min(page - 1, pages) })}">← Previous</a>` : html`<span></span>`}
  <span class="muted">Page ${page} of ${pages}</span>
  ${page < pages ? html`<a rel="next" href="${address(view, filter, { page: page + 1 })}">Next →</a>` : html`<span></span>`}
</nav>`;
}
