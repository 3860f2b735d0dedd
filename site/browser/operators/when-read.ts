import { element, type Child } from '../dom';
import { explain, noticeRefusal } from './failures';

/** Shows the content once it has been read, or why it could not be read. */
export function whenRead(content: Promise<Child>): HTMLElement {
  const frame = element('div', { role: 'status' }, 'Loading…');
  content.then(
    (child) => frame.replaceChildren(child),
    (error: unknown) => {
      frame.replaceChildren(element('span', { class: 'message bad' }, explain(error)));
      noticeRefusal(error);
    },
  );
  return frame;
}
