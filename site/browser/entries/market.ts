/** The script of a market's page. */
import { startLiveMarket } from '../live/pages';
import { find } from '../page';
import { startPage } from '../start';
import { startTicket } from '../ticket';

startPage({ isLive: true });
const article = find('[data-market]');
if (article !== null) {
  const page = startLiveMarket(article.dataset);
  const ticket = find<HTMLFormElement>('[data-ticket]');
  if (ticket !== null)
    startTicket(ticket, article.dataset.market ?? '', () =>
      page.isLive() ? Promise.resolve() : page.refresh(),
    );
}
