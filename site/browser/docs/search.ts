/** Search in the browser. The sections of all pages are loaded when the reader types the first letter. */
import { excerptOf } from './excerpt';
import { indexOf, type FindSections, type Found, type Section } from './section-index';

const SHOWN = 12;

async function loadIndex(root: string): Promise<FindSections> {
  const response = await fetch(`${root}assets/search.json`);
  if (!response.ok) throw new Error(`the sections were answered ${response.status}`);
  return indexOf((await response.json()) as Section[]);
}

function resultOf(root: string, found: Found): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${found.id}`;
  const heading = document.createElement('strong');
  heading.textContent = found.title === found.page ? found.page : `${found.page} › ${found.title}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(`${found.text} ${found.code}`, found.terms);
  link.append(heading, excerpt);
  item.append(link);
  return item;
}

function countOf(all: number): string {
  if (all === 0) return 'Nothing found.';
  if (all === 1) return '1 section';
  return all > SHOWN ? `The best ${SHOWN} of ${all} sections` : `${all} sections`;
}

export function attachSearch(form: HTMLFormElement, root: string): void {
  const input = form.querySelector('input');
  const panel = form.querySelector<HTMLElement>('.results');
  const list = panel?.querySelector('ol');
  const count = panel?.querySelector('.count');
  if (!input || !panel || !list || !count) return;
  let index: Promise<FindSections> | null = null;

  const show = async (): Promise<void> => {
    const query = input.value.trim();
    if (query === '') {
      panel.hidden = true;
      return;
    }
    index ??= loadIndex(root);
    let find: FindSections;
    try {
      find = await index;
    } catch {
      index = null;
      count.textContent = 'The search cannot be loaded.';
      panel.hidden = false;
      return;
    }
    // The query has changed meanwhile, so this result is out of date.
    if (input.value.trim() !== query) return;
    const all = find(query);
    const found = all.slice(0, SHOWN);
    count.textContent = countOf(all.length);
    list.replaceChildren(...found.map((hit) => resultOf(root, hit)));
    panel.hidden = false;
  };

  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')];
  const move = (step: number): void => {
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLAnchorElement);
    if (at + step < 0) input.focus();
    else all[Math.min(at + step, all.length - 1)]?.focus();
  };
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape') {
      panel.hidden = true;
      input.focus();
    }
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) panel.hidden = true;
  });
  // A link to a section of this page loads no new page, so the results have to be hidden here.
  list.addEventListener('click', () => (panel.hidden = true));
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if ((event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
}
