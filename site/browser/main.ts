/** The script of every page: the session, and the parts that this page needs. */
import { startCreators } from './creators';
import { startLive } from './live';
import { startLiveList, startLiveMarket } from './live/pages';
import { find } from './page';
import { startPortfolio } from './portfolio';
import { startSession } from './session';
import { startTicket } from './ticket';

function startMarket(article: HTMLElement): void {
  const page = startLiveMarket(article.dataset);
  const ticket = find<HTMLFormElement>('[data-ticket]');
  if (ticket === null) return;
  startTicket(ticket, article.dataset.market ?? '', () =>
    page.isLive() ? Promise.resolve() : page.refresh(),
  );
}

startSession();
const article = find('[data-market]');
const portfolio = find('[data-portfolio]');
if (article !== null) startMarket(article);
else if (find('#live-list') !== null) startLiveList(location.search);
else startLive([], null);
if (portfolio !== null) startPortfolio(portfolio);
if (find('[data-apply]') !== null) startCreators();
for (const form of document.querySelectorAll<HTMLFormElement>('[data-submit-on-change]')) {
  form.addEventListener('change', () => form.requestSubmit());
}
