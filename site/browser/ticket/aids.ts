/** The aids of the order form: buttons for usual sizes, and the field for the slippage. */
import { openDialog } from '../connect-dialog';
import { find, messageOf, say } from '../dom';
import { currentSession } from '../session';
import { heldShares } from './held-positions';
import { fillOrder, readOrder } from './order-form';
import { buySize, sellSize } from './quick-sizes';
import { setSlippagePercent, slippagePercent } from './slippage';

/** `filled` is called after each click on a button, unless the position could not be read. */
export function startQuickSizes(form: HTMLFormElement, marketId: string, filled: () => void): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-quick]'))
    button.addEventListener('click', () => {
      fillQuick(form, marketId, button.dataset.quick ?? '').then(filled, (error: unknown) =>
        tell(form, messageOf(error), 'bad'),
      );
    });
}

/** Fills in the size of a button: for a buy an amount or the whole balance, for a sale a part of the position. */
async function fillQuick(form: HTMLFormElement, marketId: string, choice: string): Promise<void> {
  const session = currentSession();
  const order = readOrder(form);
  const isFixed = order.action === 'buy' && choice !== 'max';
  if (session === null && !isFixed) {
    openDialog();
    return;
  }
  const size =
    order.action === 'buy'
      ? buySize(choice, session?.available ?? 0)
      : sellSize(choice, await heldShares(marketId, order.side));
  fillOrder(form, { ...order, size });
}

export function startSlippage(form: HTMLFormElement): void {
  const input = find<HTMLInputElement>('[data-slippage]', form);
  if (input === null) return;
  // `form.reset()` restores the default value, so the default value has to be the stored setting.
  input.defaultValue = String(slippagePercent(localStorage));
  input.addEventListener('change', () => {
    if (setSlippagePercent(localStorage, input.value)) input.defaultValue = input.value;
    else {
      input.value = input.defaultValue;
      tell(form, 'Choose between 0.1 and 20 percent.', 'bad');
    }
  });
}

export function tell(form: HTMLFormElement, text: string, kind: 'bad' | '' = ''): void {
  say(find('[data-message]', form), text, kind);
}
