/** The pages whose data change by themselves: one market, and the list. */
import type { MarketView } from '../../../src/index';
import type { MarketData } from '../../pages/market-data';
import { marketFragments } from '../../pages/market-parts';
import { countOf, marketCards, PAGE_SIZE } from '../../pages/markets';
import { serverClock, siteData } from '../site-data';
import { base, find, percent, show } from '../dom';
import { startMarketChart } from '../chart/market-chart';
import { startLive, timers, type LivePage } from '.';
import { atMostEvery } from './at-most-every';
import { LOOK_AGAIN_MS, startCountdowns, type CountdownPlace } from './countdown';
import { applyToList, applyToMarket, changesDecision, isChartBehind } from './market-data';

/** Messages make a page read its data again at most once in this time. */
const REREAD_MS = 5_000;

export interface MarketWatcher {
  /** Called with the first price that the page draws, and with each price that differs from the one before. */
  priceMoved(yesPrice: number): void;
  /** Called when `isLive` of the page may have changed. */
  liveChanged(): void;
}

export function startLiveMarket(
  { market = '', slug = '', range = 'all', status }: DOMStringMap,
  watcher: MarketWatcher,
): LivePage {
  let shownPrice: number | null = null;
  const chart = startMarketChart();
  let shownRange = range;
  const page = startLive<MarketData>(
    [`market:${market}`],
    {
      load: (seq) =>
        siteData(
          withSeq(`market/${encodeURIComponent(slug)}`, new URLSearchParams({ range: shownRange }), seq),
        ),
      apply(data, event) {
        if (changesDecision(event) || (event.event === 'trade' && isChartBehind(data, event.ts))) reread();
        return applyToMarket(data, event);
      },
      draw: onNextFrame((data) => {
        // When a market closes or is resolved, the page needs parts that only the server draws.
        if (data.market.status !== status) location.reload();
        for (const [id, part] of Object.entries(marketFragments({ now: Date.now() }, data)))
          replace(id, part.text);
        chart.show(data.history);
        showLabel('YES', data.market.yesPrice);
        showLabel('NO', data.market.noPrice);
        const { yesPrice } = data.market;
        if (shownPrice !== yesPrice) watcher.priceMoved(yesPrice);
        shownPrice = yesPrice;
        drawCountdowns();
      }),
    },
    watcher.liveChanged,
  );
  const reread = atMostEvery(timers, REREAD_MS, () => page.refresh());
  // After the end of a countdown, the data may change without a message, so the page reads them again.
  const lookAgain = atMostEvery(timers, LOOK_AGAIN_MS, () => page.refresh());
  const drawCountdowns = startCountdowns({
    timers,
    now: serverClock.now,
    places: countdownPlaces,
    isVisible: () => !document.hidden,
    reached: lookAgain,
  });
  document.addEventListener('visibilitychange', drawCountdowns);
  onRangeLink(async (chosen) => {
    shownRange = chosen;
    await page.refresh();
    // The drawing was requested before, so this callback runs after it.
    requestAnimationFrame(() => chart.fit());
  });
  return page;
}

function countdownPlaces(): CountdownPlace[] {
  return [...document.querySelectorAll<HTMLElement>('[data-until]')].map((place) => ({
    until: Date.parse(place.dataset.until ?? ''),
    show(text) {
      if (place.textContent !== ` (${text})`) place.textContent = ` (${text})`;
    },
  }));
}

/** Changes the range without loading a new page. If the data cannot be read, the browser follows the link. */
function onRangeLink(choose: (range: string) => Promise<void>): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-range-link]')];
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      for (const other of links) other.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
      history.replaceState(null, '', link.href);
      choose(link.dataset.rangeLink ?? 'all').catch(() => location.assign(link.href));
    });
  }
}

export function startLiveList(search: string): LivePage {
  const page = startLive<MarketView[]>(['markets', 'prices'], {
    async load(seq) {
      const { markets } = await siteData<{ markets: MarketView[] }>(
        withSeq('list', new URLSearchParams(search), seq),
      );
      return markets;
    },
    apply(markets, event) {
      // The message does not say whether the changed market belongs in this list, or where.
      if (event.channel === 'markets') reread();
      return applyToList(markets, event);
    },
    draw: onNextFrame((markets) => {
      replace('live-list', marketCards({ base }, markets).text);
      show(find('[data-empty-start]'), markets.length === 0);
      // The number of rows is the number of all markets only if this is the first page and it is not full.
      if (markets.length < PAGE_SIZE && !new URLSearchParams(search).has('page'))
        find('[data-market-count]')?.replaceChildren(countOf(markets.length));
    }),
  });
  const reread = atMostEvery(timers, REREAD_MS, () => page.refresh());
  return page;
}

function withSeq(path: string, query: URLSearchParams, seq: number | null): string {
  if (seq !== null) query.set('at', String(seq));
  return `${path}?${query.toString()}`;
}

/** An unchanged part is left alone, because the reader may be selecting text in it. */
function replace(id: string, markup: string): void {
  const target = document.getElementById(id);
  if (target === null || target.dataset.markup === markup) return;
  target.innerHTML = markup;
  target.dataset.markup = markup;
}

function showLabel(side: 'YES' | 'NO', price: number): void {
  const label = find(`[data-label=${side}]`);
  if (label !== null) label.textContent = `${side} ${percent(price)}`;
}

/** Draws the newest data, at most once in a frame. */
function onNextFrame<State>(draw: (state: State) => void): (state: State) => void {
  let next: { state: State } | null = null;
  return (state) => {
    const isWaiting = next !== null;
    next = { state };
    if (isWaiting) return;
    requestAnimationFrame(() => {
      const drawn = next;
      next = null;
      if (drawn !== null) draw(drawn.state);
    });
  };
}
