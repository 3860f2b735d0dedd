import type { PredictionMarketClient } from '../../../src/client';
import { find } from '../dom';
import { accountsView } from './accounts';
import { creatorsView } from './creators';
import { consumersAndWebhooksView } from './consumers-and-webhooks';
import { logView } from './log';
import { marketsView } from './markets';
import { moneyView } from './money';
import { overviewView } from './overview';
import { startSession, type HostCall } from './session';

const VIEWS: Record<string, (client: PredictionMarketClient, host: HostCall) => HTMLElement[]> = {
  overview: overviewView,
  creators: creatorsView,
  markets: marketsView,
  money: moneyView,
  accounts: accountsView,
  feeds: consumersAndWebhooksView,
  log: logView,
};

export function startOperators(): void {
  const name = find('[data-operators]')?.dataset.operators ?? '';
  const draw = VIEWS[name];
  if (draw !== undefined)
    startSession((client, host) => find('[data-view]')?.replaceChildren(...draw(client, host)));
}
