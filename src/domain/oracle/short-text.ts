/**
 * The first `longest` characters of the text, without NUL and without halves of surrogate pairs, which
 * databases refuse. The cut itself may leave half a pair, so the halves are removed after it.
 */
export function shortText(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\0\p{Cs}]/gu, '');
}
