/** Builds HTML from templates. Every value that is not `SafeHtml` is escaped. */

export class SafeHtml {
  constructor(readonly text: string) {}
}

export type HtmlValue = string | number | SafeHtml | readonly SafeHtml[] | null | false;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function render(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map((part) => part.text).join('');
}

/** The tag of a template literal. Attribute values in the template have to be in double quotes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += render(value) + (strings[index + 1] ?? '');
  return new SafeHtml(text);
}
