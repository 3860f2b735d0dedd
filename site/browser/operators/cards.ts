/** A card shows one row and changes it, one request at a time. */
import { element, say, type Child } from '../dom';
import { explainChange, noticeRefusal } from './failures';

export interface Done<Row> {
  text: string;
  /** The row that the card shows from now on. If it is left out, the card shows the same row as before. */
  row?: Row;
}

/** Carries out a change. While a change is under way, another click does nothing. */
export type Act<Row> = (work: () => Promise<Done<Row>>) => void;
export type Draw<Row> = (row: Row, act: Act<Row>) => Child[];

export function card<Row>(row: Row, draw: Draw<Row>, name = 'article'): HTMLElement {
  const body = element('div');
  const message = element('p', { class: 'message', role: 'status', tabindex: '-1' });
  const frame = element(name, { class: 'operators-card' }, body, message);
  let isBusy = false;

  async function run(work: () => Promise<Done<Row>>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    frame.setAttribute('aria-busy', 'true');
    say(message, 'Working…');
    try {
      const done = await work();
      if (done.row !== undefined) body.replaceChildren(...draw(done.row, act));
      say(message, done.text, 'good');
      // The pressed button may be gone, and the keyboard focus with it.
      message.focus();
    } catch (error) {
      say(message, explainChange(error), 'bad');
      noticeRefusal(error);
    } finally {
      isBusy = false;
      frame.removeAttribute('aria-busy');
    }
  }
  const act: Act<Row> = (work) => void run(work);
  body.append(...draw(row, act));
  return frame;
}
