/** The script of every page: the session, and the parts that this page needs. */
import { startCreators } from './creators';
import { keepFresh } from './live';
import { find } from './page';
import { startPortfolio } from './portfolio';
import { startSession } from './session';
import { startTicket } from './ticket';

function startMarket(article: HTMLElement): void {
  const { market = '', slug = '', range = 'all', status } = article.dataset;
  const refresh = keepFresh(`market/${encodeURIComponent(slug)}?range=${range}`, (fresh) => {
    // After closing or resolving, more of the page has changed than its live parts.
    if (fresh.status !== undefined && fresh.status !== status) location.reload();
    const prices = { YES: fresh.yesPrice, NO: fresh.noPrice };
    for (const [side, price] of Object.entries(prices)) {
      const label = find(`[data-label=${side}]`);
      if (label !== null && price !== undefined) {
        label.textContent = `${side === 'YES' ? 'Yes' : 'No'} ${Number((price * 100).toFixed(1))}%`;
      }
    }
  });
  const ticket = find<HTMLFormElement>('[data-ticket]');
  if (ticket !== null) startTicket(ticket, market, refresh);
}

startSession();
const article = find('[data-market]');
if (article !== null) startMarket(article);
if (find('#live-list') !== null) keepFresh(`list${location.search}`);
const portfolio = find('[data-portfolio]');
if (portfolio !== null) startPortfolio(portfolio);
if (find('[data-apply]') !== null) startCreators();
for (const form of document.querySelectorAll<HTMLFormElement>('[data-submit-on-change]')) {
  form.addEventListener('change', () => form.requestSubmit());
}
