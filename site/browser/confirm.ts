/** A dialog that asks the reader to confirm an action. */
import { find } from './dom';

export interface Question {
  title: string;
  text: string;
  /** The text of the button that confirms. */
  yes: string;
}

export function confirmed({ title, text, yes }: Question): Promise<boolean> {
  const dialog = find<HTMLDialogElement>('[data-confirm]');
  if (dialog === null) return Promise.resolve(false);
  find('#confirm-title', dialog)?.replaceChildren(title);
  find('#confirm-text', dialog)?.replaceChildren(text);
  find('[data-confirm-yes]', dialog)?.replaceChildren(yes);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
