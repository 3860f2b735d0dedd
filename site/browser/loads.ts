import { element, messageOf } from './dom';

/**
 * Returns a function that reads and draws a part of the page. A failure shows a button to try again and keeps what was
 * drawn. Answers to older requests are dropped.
 */
export function loads<Value>(
  target: HTMLElement,
  read: () => Promise<Value>,
  draw: (value: Value) => (Node | string)[],
): () => Promise<void> {
  let newest = 0;
  let drawn: (Node | string)[] | null = null;
  async function load(): Promise<void> {
    const turn = ++newest;
    target.setAttribute('aria-busy', 'true');
    if (drawn === null) target.replaceChildren(element('p', { class: 'muted' }, 'Loading…'));
    try {
      const value = await read();
      if (turn !== newest) return;
      drawn = draw(value);
      target.replaceChildren(...drawn);
    } catch (error) {
      if (turn === newest)
        target.replaceChildren(
          failure(error, () => void load()),
          ...(drawn ?? []),
        );
    } finally {
      if (turn === newest) target.removeAttribute('aria-busy');
    }
  }
  return load;
}

function failure(error: unknown, again: () => void): HTMLElement {
  const button = element('button', { type: 'button' }, 'Try again');
  button.addEventListener('click', again);
  return element('p', { class: 'message bad', role: 'alert' }, `${messageOf(error)} `, button);
}
