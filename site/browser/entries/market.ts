import { startLiveMarket } from '../live/pages';
import { find } from '../dom';
import { startPage } from '../start';
import { startTicket, type TicketHandle } from '../ticket';

startPage({ isLive: true });
find('[data-origin]')?.append(location.origin);
const article = find('[data-market]');
if (article !== null) {
  let ticket: TicketHandle | null = null;
  const page = startLiveMarket(article.dataset, {
    priceMoved: (yesPrice) => ticket?.priceMoved(yesPrice),
    liveChanged: () => ticket?.liveChanged(),
  });
  const form = find<HTMLFormElement>('[data-ticket]');
  if (form !== null) ticket = startTicket(form, article.dataset.market ?? '', page);
}
