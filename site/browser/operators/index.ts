/** Starts the view of an operators' page. */
import type { PredictionMarketClient } from '../../../src/client';
import { find } from '../page';
import { creatorsView } from './creators';
import { overviewView } from './overview';
import { startSession } from './session';

const VIEWS: Record<string, (client: PredictionMarketClient) => HTMLElement[]> = {
  overview: overviewView,
  creators: creatorsView,
};

export function startOperators(): void {
  const name = find('[data-operators]')?.dataset.operators ?? '';
  const draw = VIEWS[name];
  if (draw !== undefined) startSession((client) => find('[data-view]')?.replaceChildren(...draw(client)));
}
