/** The preview on the creators' page. The server makes its HTML. */
import type { NewMarket } from '../../src/client';
import { base, find, messageOf, show } from './dom';

interface FieldError {
  field: string;
  message: string;
}

export interface PreviewedForm {
  draft: () => NewMarket;
  showErrors: (errors: readonly FieldError[]) => void;
}

const DELAY_MS = 700;
const OLD = 'The preview shows an earlier text.';

export function startPreview(form: HTMLFormElement, { draft, showErrors }: PreviewedForm): void {
  const section = find('[data-preview]');
  const place = find('[data-preview-place]');
  const note = find('[data-preview-note]');
  if (section === null || place === null || note === null) return;
  let newest = 0;
  /** Resolves with whether the preview was drawn. An answer to an older request changes nothing. */
  const draw = async (market: NewMarket, onErrors: PreviewedForm['showErrors']): Promise<boolean> => {
    newest += 1;
    const asked = newest;
    const { html, errors = [] } = await previewOf(market);
    if (asked !== newest) return false;
    if (html === undefined) {
      onErrors(errors);
      return false;
    }
    // The server has escaped the words of the creator.
    place.innerHTML = html;
    note.replaceChildren();
    show(section, true);
    return true;
  };
  find('[data-show-preview]', form)?.addEventListener('click', () => {
    if (!form.reportValidity()) return;
    draw(draft(), showErrors).then(
      (drawn) => drawn && section.focus(),
      (error: unknown) => {
        show(section, true);
        note.replaceChildren(messageOf(error));
      },
    );
  });
  let timer = 0;
  form.addEventListener('input', () => {
    newest += 1;
    if (section.hidden) return;
    note.replaceChildren(OLD);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      // While the creator writes, no errors are shown.
      if (form.checkValidity()) draw(draft(), () => undefined).catch(() => undefined);
    }, DELAY_MS);
  });
}

async function previewOf(market: NewMarket): Promise<{ html?: string; errors?: FieldError[] }> {
  const response = await fetch(`${base}/site-data/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(market),
  }).catch((cause: unknown) => {
    throw new Error('The server cannot be reached.', { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as {
    html?: string;
    errors?: FieldError[];
    message?: string;
  };
  if (response.ok || answer.errors !== undefined) return answer;
  throw new Error(answer.message ?? `The server answered ${response.status}.`);
}
