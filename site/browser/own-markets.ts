/** The markets of the connected wallet on the creators' page, with what each has earned. */
import type { CreatorEarnings, MarketEarnings } from '../../src/client/api.generated';
import { client } from './client';
import { loads } from './loads';
import { base, element, find, show, usd } from './dom';
import { onSession } from './session';
import { table } from './table';

const MOST_SHOWN = 50;

export function startOwnMarkets(): void {
  const section = find('[data-own-markets]');
  const list = find('[data-own-list]');
  if (section === null || list === null) return;
  const load = loads(
    list,
    () => client.account.earnings({ limit: MOST_SHOWN }),
    (earnings) => rowsOf(earnings),
  );
  let shown: string | null = null;
  onSession((session) => {
    const address = session?.address ?? null;
    if (address === shown) return;
    shown = address;
    show(section, address !== null);
    if (address === null) list.replaceChildren();
    else void load();
  });
}

function rowsOf({ markets, total, fees }: CreatorEarnings): HTMLElement[] {
  if (total === 0) return [element('p', { class: 'muted' }, 'You have opened no market yet.')];
  const some = total > markets.length ? ` The newest ${markets.length} of ${total} are shown.` : '';
  return [
    element(
      'p',
      {},
      `You have earned ${usd(fees)} with ${total === 1 ? 'one market' : `${total} markets`}.${some}`,
    ),
    table('Your markets, newest first', markets, [
      { title: 'Market', cell: marketLink },
      { title: 'Status', cell: ({ status }) => element('span', { class: `tag ${status}` }, status) },
      { title: 'Traded', number: true, cell: ({ volume }) => usd(volume) },
      { title: 'Earned', number: true, cell: (market) => usd(market.fees) },
    ]),
  ];
}

function marketLink({ slug, question }: MarketEarnings): HTMLElement {
  return element('a', { href: `${base}/market/${encodeURIComponent(slug)}`, dir: 'auto' }, question);
}
