/** Parts of the operators' views. Texts are inserted as text, never as HTML. */
import { isWebAddress, LINK_RELATION } from '../../links';
import { base, element, localTime, type Child } from '../dom';
import { table as stackedTable } from '../table';

export const text = (words: string): HTMLElement => element('p', {}, words);
export const muted = (words: string): HTMLElement => element('p', { class: 'muted' }, words);
const LONGEST_ADDRESS = 42;
/** Monospaced. A text longer than the address of a wallet, such as a hash, gets a line of its own. */
export const mono = (words: string): HTMLElement =>
  element('span', { class: words.length > LONGEST_ADDRESS ? 'mono operators-hash' : 'mono' }, words);
/** Text that a stranger has written. Its line breaks are kept, and it may run from right to left. */
export const strangersText = (words: string): HTMLElement =>
  element('p', { class: 'prose', dir: 'auto' }, words);
/** A value that may be a whole sentence. It gets the full width of the card. */
export const long = (words: string): HTMLElement =>
  element('span', { class: 'operators-long', dir: 'auto' }, words);
export const tag = (words: string, kind = ''): HTMLElement =>
  element('span', { class: `tag ${kind}` }, words);

export function when(iso: string | null, otherwise = 'never'): Child {
  return iso === null ? otherwise : element('time', { datetime: iso }, localTime(iso));
}

export function panel(title: string, ...children: Child[]): HTMLElement {
  return element('section', { class: 'panel', 'aria-label': title }, element('h2', {}, title), ...children);
}

export function heading(title: string, ...tags: HTMLElement[]): HTMLElement {
  return element('div', { class: 'operators-title' }, element('h3', { dir: 'auto' }, title), ...tags);
}

export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

export function more(summary: string, ...children: Child[]): HTMLDetailsElement {
  return element('details', {}, element('summary', {}, summary), ...children) as HTMLDetailsElement;
}

/** A details element whose content is read when it is opened for the first time. */
export function moreOnDemand(summary: string, read: () => HTMLElement): HTMLDetailsElement {
  const details = more(summary);
  const open = (): void => {
    if (details.open) details.append(read());
  };
  details.addEventListener('toggle', open, { once: true });
  return details;
}

/** A table in a frame that scrolls sideways. The keyboard can reach the frame. */
export function table(caption: string, heads: readonly string[], rows: readonly Child[][]): HTMLElement {
  const columns = heads.map((title, place) => ({ title, cell: (cells: Child[]) => cells[place] ?? '' }));
  const frame = { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' };
  return element('div', frame, stackedTable(caption, rows, columns));
}

export function pageLink(path: string, words: string): HTMLElement {
  return element('a', { href: base + path }, words);
}

/** A link to an address that a stranger has written. Only web addresses become links. */
export function strangersLink(address: string, words: string): HTMLElement {
  if (!isWebAddress(address)) return element('span', { dir: 'auto' }, words);
  return element('a', { href: address, rel: LINK_RELATION, target: '_blank', dir: 'auto' }, words);
}

export function button(words: string, onClick: () => void, kind = 'secondary'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, words) as HTMLButtonElement;
  made.addEventListener('click', onClick);
  return made;
}
