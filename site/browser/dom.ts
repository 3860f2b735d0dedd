/** Helpers for elements, forms and figures. They insert texts as text, never as HTML. */
import { messageOf } from './message-of';

export { messageOf };

export const base = document.body.dataset.base ?? '';

export function find<T extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T | null {
  return within.querySelector<T>(selector);
}

export type Child = Node | string;

export function element(
  name: string,
  properties: Record<string, string> = {},
  ...children: Child[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function show(target: HTMLElement | null, visible: boolean): void {
  if (target !== null) target.hidden = !visible;
}

export function say(target: HTMLElement | null, text: string, kind: 'good' | 'bad' | '' = ''): void {
  if (target === null) return;
  target.textContent = text;
  target.className = `message ${kind}`;
}

/**
 * Runs `work` at each submit and shows its result; meanwhile the button is disabled. `settled` is called after success
 * and after failure.
 */
export function onSubmit(
  form: HTMLFormElement,
  work: (fields: FormData) => Promise<string>,
  settled: () => void = () => undefined,
): void {
  const message = find('[data-message]', form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const button = find<HTMLButtonElement>('button.primary', form);
    if (button?.disabled === true) return;
    if (button !== null) button.disabled = true;
    say(message, 'Working…');
    work(new FormData(form))
      .then(
        (text) => say(message, text, 'good'),
        (error: unknown) => say(message, messageOf(error), 'bad'),
      )
      .finally(() => {
        if (button !== null) button.disabled = false;
        settled();
      });
  });
}

/** A field of a form as trimmed text; '' when it is missing. */
export function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

export const usd = (amount: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount);
export const percent = (price: number): string => `${Number((price * 100).toFixed(1))}%`;
export const count = (shares: number): string =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(shares);
/** A number of shares with two decimals, so that the figures of a column line up. */
export { shares as sharesInColumn } from '../format';
/** In the reader's time zone, which the text names, because pages that the server draws use UTC. */
export const localTime = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
