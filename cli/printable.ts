/** Characters that must not reach a terminal: control characters, line separators, and changes of direction. */
const NOT_PRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * The text as one line for a terminal. Texts of the service may come from outsiders, such as the answer of a webhook's
 * receiver or the words of a model.
 */
export const printable = (text: string): string => text.replace(NOT_PRINTABLE, ' ');
