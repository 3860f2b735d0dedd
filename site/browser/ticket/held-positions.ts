/**
 * The trader's own positions in the market of the form, each with a button that fills its sale into the form.
 */
import type { Position } from '../../../src/client';
import { client } from '../client';
import { count, element, find, show, usd } from '../dom';
import { currentSession } from '../session';
import type { OrderChoice } from './pending-order';

export interface Held {
  /** Reads the positions again. After a failure, the shown positions of the same wallet stay. */
  refresh(): Promise<void>;
}

export function startHeld(
  form: HTMLFormElement,
  marketId: string,
  sell: (side: OrderChoice['side'], shares: number) => void,
): Held {
  const target = find('[data-held]', form);
  let positions: Position[] = [];
  let owner: string | null = null;
  let newest = 0;

  function draw(): void {
    show(target, positions.length > 0);
    target?.replaceChildren(...positions.map((position) => heldRow(position, sell)));
  }
  function forget(address: string | null): void {
    if (owner === address) return;
    owner = address;
    positions = [];
    draw();
  }
  return {
    async refresh() {
      const turn = ++newest;
      const address = currentSession()?.address ?? null;
      forget(address);
      if (address === null) return;
      try {
        const own: Position[] = [];
        for await (const position of client.account.allPositions({ status: 'open' }))
          if (String(position.marketId) === marketId) own.push(position);
        if (turn !== newest) return;
        positions = own;
        draw();
      } catch {
        // The form works without this list; the server checks each sale against the positions of the trader.
      }
    },
  };
}

function heldRow(
  { side, shares, currentValue }: Position,
  sell: (side: OrderChoice['side'], shares: number) => void,
): HTMLElement {
  const button = element('button', { type: 'button', 'aria-label': `Sell your ${side} shares` }, 'Sell');
  button.addEventListener('click', () => sell(side, shares));
  const text = `You hold ${count(shares)} ${side}, worth ${usd(currentValue)}.`;
  return element('p', { class: 'held' }, element('span', {}, text), button);
}

/** How many shares of the side the wallet has; 0 without a position. */
export async function heldShares(marketId: string, side: OrderChoice['side']): Promise<number> {
  for await (const position of client.account.allPositions({ status: 'open' }))
    if (String(position.marketId) === marketId && position.side === side) return position.shares;
  return 0;
}
