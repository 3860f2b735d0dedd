/**
 * The browser pages of a prediction market, as one handler for Express (or anything that takes
 * `(request, response, next)`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApiWatch } from './api-watch';
import { files } from './assets.generated';
import { CATEGORIES, choiceNamed } from './choices';
import { marketData, quoteData, relatedMarkets } from './data';
import { frameAncestors } from './embed/ancestors';
import { answerEmbed } from './embed';
import { html } from './html';
import { document, type Page, type View } from './layout';
import { creatorsPage } from './pages/creators';
import { keysPage } from './pages/keys';
import { marketPage } from './pages/market';
import { marketsPage, PAGE_SIZE, readFilter, unknownCategoryPage, type ListFilter } from './pages/markets';
import { operatorsPage, type Operators } from './pages/operators';
import { notFoundPage, refusedPage, unavailablePage } from './pages/error-pages';
import { playMoneyPage } from './pages/play-money';
import { portfolioPage } from './pages/portfolio';
import { createPictures, isPicturePath } from './picture';
import { checkSite, type SiteOptions } from './options';
import { pagePolicy } from './content-security-policy';
import { answerPreview } from './preview';
import { readPreset } from './pages/ticket';
import { readRange } from './chart-ranges';
import { marketRefusal, send, sendJson, type Answer } from './respond';
import { shareForAMoment } from './shared-requests';
import type { SiteMarket } from './site-market';

export { createDocs, type DocsHandler, type DocsOptions } from './docs';
export { frameAncestors } from './embed/ancestors';
export type { SiteOptions } from './options';
export type { SiteMarket } from './site-market';

export type SiteHandler = (
  request: IncomingMessage & { baseUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Readers share an answer below `/site-data` for this time. */
const SHARED_MS = 1000;

interface Call {
  market: SiteMarket;
  view: View;
  operators: Operators | null;
  /** The value of `frame-ancestors` of the pages that other sites may show. */
  ancestors: string;
  path: string;
  query: URLSearchParams;
}

/**
 * Serves `/`, `/categories/<category>`, `/market/<slug>` with its `picture.png`, `/portfolio`, `/keys`,
 * `/creators`, with `adminUrl` `/operators`, and with `playMoney` `/play-money`. `/site-assets` and
 * `/site-data` are for their scripts. Other sites show a market by `/embed/market/<slug>`, `/oembed` and
 * `/embed/element.js`. The pages load nothing from other hosts and have no inline script or style. They get a
 * strict Content-Security-Policy, unless the host has set one. The server reads the data of the pages from the market,
 * without a key or a quota. Put a rate limiter in front if you need one. Without `apiUrl`, Node prints a warning
 * `API_ELSEWHERE` when a browser asks `/api/v2` below the pages and no API answers there.
 * @throws TypeError naming the option, for options that do not exist or do not fit, and for what is no market.
 */
export function createSite(market: SiteMarket, options: SiteOptions = {}): SiteHandler {
  checkSite(market, options);
  const now = options.now ?? Date.now;
  const ancestors = frameAncestors(options.embedAncestors);
  const operators = operatorsOf(options);
  const shared = shareForAMoment<Answer>(SHARED_MS, now);
  const pictures = createPictures(market, now);
  const watchApi = options.apiUrl === undefined ? createApiWatch() : null;
  return (request, response, next) => {
    watchApi?.(request, response, request.baseUrl ?? '');
    const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
    const isPreview = request.method === 'POST' && path === '/site-data/preview';
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isPreview) {
      next();
      return;
    }
    const base = request.baseUrl ?? '';
    const view: View = {
      base,
      apiUrl: options.apiUrl?.replace(/\/+$/, '') ?? `${base}/api/v2`,
      siteUrl: options.siteUrl?.replace(/\/+$/, '') ?? '',
      title: options.title ?? 'Prediction Market',
      playMoney: options.playMoney ?? false,
      now: now(),
    };
    const call: Call = { market, view, operators, ancestors, path, query: new URLSearchParams(search) };
    const work = isPreview
      ? answerPreview(market, view, request, response)
      : path.startsWith('/site-data/')
        ? shared(`${base} ${path}?${search}`, () => answerData(call))
        : isPicturePath(path)
          ? pictures(view, path)
          : answerPage(call, options.catchAll ?? false);
    work.then((answer) => (answer === null ? next() : send(request, response, answer)), next);
  };
}

function operatorsOf({ adminUrl, sampleMarkets = false }: SiteOptions): Operators | null {
  return adminUrl === undefined ? null : { adminUrl: adminUrl.replace(/\/+$/, ''), sampleMarkets };
}

async function answerPage(call: Call, catchAll: boolean): Promise<Answer | null> {
  const { view, path } = call;
  const asset = Object.hasOwn(files, path) ? files[path] : undefined;
  if (asset !== undefined) {
    return {
      status: 200,
      type: asset.type,
      body: asset.content,
      cache: 'public, max-age=31536000, immutable',
    };
  }
  const embedded = await answerEmbed(call);
  if (embedded !== null) return embedded;
  try {
    const page = await choosePage(call);
    if (page === null && !catchAll) return null;
    return asAnswer(call, page ?? notFoundPage(view, 'There is no page at this address.'));
  } catch (error) {
    const refusal = marketRefusal(error);
    if (refusal?.code === 'SERVICE_UNAVAILABLE') {
      return asAnswer(call, unavailablePage(view, refusal.retryAfterSeconds ?? 1));
    }
    if (refusal === null || refusal.status >= 500) throw error;
    if (refusal.status === 400) return asAnswer(call, refusedPage(view, refusal.message));
    return asAnswer(call, notFoundPage(view, 'There is no such market.'));
  }
}

function asAnswer({ view, operators }: Call, page: Page): Answer {
  const { status, headers = {}, policy } = page;
  const answer = { status, type: 'text/html; charset=utf-8', body: document(view, page), headers };
  const defaultPolicy = pagePolicy([view.apiUrl, operators?.adminUrl ?? '']);
  return { ...answer, cache: 'no-cache', defaultPolicy, ...(policy !== undefined && { policy }) };
}

async function choosePage(call: Call): Promise<Page | null> {
  const { market, view, path, query } = call;
  if (path === '/') return listPage(call, readFilter(query));
  const name = referenceIn(path, '/categories/');
  const category = choiceNamed(CATEGORIES, name);
  if (category !== undefined) return listPage(call, { ...readFilter(query), category });
  if (name !== null) return unknownCategoryPage(view);
  const fixed = fixedPage(call) ?? withoutSlash(call);
  if (fixed !== null) return fixed;
  const reference = referenceIn(path, '/market/');
  if (reference === null) return null;
  const range = readRange(query.get('range'));
  const data = await marketData(market, reference, range, view.now);
  // An id or a ticker is redirected to the canonical address with the slug.
  if (data.market.slug !== reference)
    return redirect(302, `${view.base}/market/${encodeURIComponent(data.market.slug)}`);
  return marketPage(view, data, {
    range,
    preset: readPreset(query),
    related: await relatedMarkets(market, data.market),
  });
}

/** A page that asks the market for nothing. */
function fixedPage({ view, path, operators }: Call): Page | null {
  if (path === '/portfolio') return portfolioPage(view);
  if (path === '/creators') return creatorsPage();
  if (path === '/keys') return keysPage();
  if (operators !== null && path.startsWith('/operators')) return operatorsPage(view, path, operators);
  if (path === '/play-money' && view.playMoney) return playMoneyPage(view);
  return null;
}

/**
 * A redirect from the address of a page with a slash at its end. Only addresses of own pages are redirected, because
 * a browser would take `//evil.example` for another host.
 */
function withoutSlash(call: Call): Page | null {
  const path = call.path.slice(0, -1);
  const isPage = (): boolean =>
    fixedPage({ ...call, path }) !== null ||
    referenceIn(path, '/categories/') !== null ||
    referenceIn(path, '/market/') !== null;
  if (!call.path.endsWith('/') || !isPage()) return null;
  const search = call.query.toString();
  return redirect(301, `${call.view.base}${path}${search === '' ? '' : `?${search}`}`);
}

async function listPage({ market, view, operators }: Call, filter: ListFilter): Promise<Page> {
  return marketsPage(view, filter, await listOf(market, filter), operators);
}

/**
 * Answers the script of a page with JSON: the list of markets, one market, a quote, or whether there is play
 * money.
 */
async function answerData(call: Call): Promise<Answer> {
  const { market, view, path, query } = call;
  try {
    // The parameter `at` is not read. It makes the address of a request differ, so that the page shares no answer from
    // before its newest event.
    if (path === '/site-data/list') {
      const { markets } = await listOf(market, readFilter(query));
      return sendJson(200, { markets });
    }
    if (path === '/site-data/server') return sendJson(200, { playMoney: view.playMoney });
    if (path === '/site-data/quote') return sendJson(200, await quoteData(market, query));
    const reference = referenceIn(path, '/site-data/market/');
    if (reference === null) return sendJson(404, { message: 'There is nothing at this address.' });
    return sendJson(200, await marketData(market, reference, readRange(query.get('range')), view.now));
  } catch (error) {
    const refusal = marketRefusal(error);
    if (refusal === null || refusal.status === 500) throw error;
    return sendJson(refusal.status, { code: refusal.code, message: refusal.message });
  }
}

function listOf(market: SiteMarket, filter: ListFilter): ReturnType<SiteMarket['listMarkets']> {
  const { status, category, sort, q, page } = filter;
  return market.listMarkets({
    ...(status !== '' && { status }),
    ...(category !== '' && { category }),
    sort,
    ...(q !== '' && { q }),
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
}

function referenceIn(path: string, prefix: string): string | null {
  const text = path.startsWith(prefix) ? path.slice(prefix.length) : '';
  if (text === '' || text.includes('/')) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function redirect(status: 301 | 302, location: string): Page {
  return { status, title: 'Moved', headers: { Location: location }, body: html`` };
}
