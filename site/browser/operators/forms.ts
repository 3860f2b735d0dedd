/** Forms of the operators' views, and the dialog that asks before a change. */
import { element, type Child } from '../dom';
import { button } from './parts';

export interface Field {
  name: string;
  label: string;
  kind?: 'text' | 'number' | 'url' | 'paragraphs';
  /** The choices of a list: value and text. */
  choices?: readonly (readonly [string, string])[];
  isOptional?: boolean;
  maxLength?: number;
  hint?: string;
}

export type Values = Readonly<Record<string, string>>;

let made = 0;

function control(field: Field, id: string): HTMLElement {
  const { name, kind = 'text', choices, maxLength } = field;
  const common: Record<string, string> = { id, name };
  if (field.isOptional !== true) common.required = '';
  if (maxLength !== undefined) common.maxlength = String(maxLength);
  if (field.hint !== undefined) common['aria-describedby'] = `${id}-hint`;
  if (choices !== undefined)
    return element('select', common, ...choices.map(([value, words]) => element('option', { value }, words)));
  if (kind === 'paragraphs') return element('textarea', { ...common, rows: '3', dir: 'auto' });
  const number: Record<string, string> =
    kind === 'number' ? { min: '0', step: 'any', inputmode: 'decimal' } : {};
  return element('input', { ...common, ...number, type: kind, autocomplete: 'off', dir: 'auto' });
}

function labelled(field: Field): Child[] {
  made += 1;
  const id = `field-${made}`;
  const hint =
    field.hint === undefined ? [] : [element('p', { class: 'muted', id: `${id}-hint` }, field.hint)];
  return [element('label', { for: id }, field.label), control(field, id), ...hint];
}

/** A form that passes its fields to `onSend` as trimmed texts. */
export function form(
  fields: readonly Field[],
  label: string,
  onSend: (values: Values) => void,
  kind = 'primary',
): HTMLFormElement {
  const frame = element('form', { class: 'operators-form' }, ...fields.flatMap(labelled)) as HTMLFormElement;
  frame.append(element('button', { class: kind }, label));
  frame.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = [...new FormData(frame)].map(([name, value]) => [name, textOf(value)] as const);
    onSend(Object.fromEntries(values));
  });
  return frame;
}

const textOf = (value: FormDataEntryValue): string =>
  typeof value === 'string' ? value.trim().replace(/\r\n/g, '\n') : '';

export function filled(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

export interface Question {
  title: string;
  lines: readonly string[];
  yes: string;
}

/** Asks the operator. `then` is called if the answer is yes. */
export function ask({ title, lines, yes }: Question, then: () => void): void {
  made += 1;
  const id = `dialog-${made}`;
  const dialog = element('dialog', { 'aria-labelledby': id }) as HTMLDialogElement;
  const answer = (): void => {
    dialog.close();
    then();
  };
  dialog.append(
    element('h2', { id, dir: 'auto' }, title),
    ...lines.map((line) => element('p', { dir: 'auto' }, line)),
    element(
      'div',
      { class: 'operators-actions' },
      button('Cancel', () => dialog.close()),
      button(yes, answer, 'primary'),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
