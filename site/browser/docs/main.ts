/** The documentation in the browser: colours, the list of pages on a phone, copying of code, and search. */
import { attachSearch } from './search';

const root = document.documentElement;

function one<Found extends HTMLElement>(selector: string): Found | null {
  return document.querySelector<Found>(selector);
}

function attachColours(button: HTMLElement): void {
  const isDark = (): boolean =>
    root.dataset.colours === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.colours === 'dark';
  const label = button.querySelector('.sr');
  const show = (): void => {
    if (label !== null) label.textContent = isDark() ? 'Use light colours' : 'Use dark colours';
  };
  button.addEventListener('click', () => {
    root.dataset.colours = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem('docs-colours', root.dataset.colours);
    } catch {
      // Without storage, the choice is lost when another page loads.
    }
    show();
  });
  show();
}

function attachMenu(button: HTMLElement, menu: HTMLElement): void {
  const set = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    menu.classList.toggle('open', open);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    set(false);
    button.focus();
  });
}

function attachCopying(block: HTMLElement): void {
  const code = block.querySelector('code');
  if (code === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied'),
    );
  });
  block.append(button);
}

const colours = one('.theme-button');
if (colours !== null) attachColours(colours);
const menuButton = one('.menu-button');
const menu = one('#navigation');
if (menuButton !== null && menu !== null) attachMenu(menuButton, menu);
for (const block of document.querySelectorAll<HTMLElement>('.code:not(.output)')) attachCopying(block);
const here = one('#navigation [aria-current]');
if (here !== null && menu !== null) menu.scrollTop = here.offsetTop - menu.clientHeight / 2;
const form = one<HTMLFormElement>('form.search');
if (form !== null) attachSearch(form, root.dataset.root ?? './');
