/** Reads `text/event-stream` as the API writes it: lines `id:` and `data:`, comments, and blank lines between. */

export interface StreamItem {
  /** `<epoch>:<seq>`, where the item completes a fact. */
  id: string | null;
  data: string;
}

/** One message is far below this. More without an end of line is no stream of ours. */
const LONGEST_LINE = 1_000_000;

/**
 * Takes the text as it arrives, and hands out each item once its blank line is there. A comment says that the
 * stream lives.
 */
export function createStreamReader(
  take: (item: StreamItem) => void,
  comment: () => void,
): (chunk: string) => void {
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];

  function line(text: string): void {
    if (text === '') {
      if (data.length > 0) take({ id, data: data.join('\n') });
      id = null;
      data = [];
      return;
    }
    if (text.startsWith(':')) comment();
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'id') id = value;
  }

  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('A line of the stream does not end.');
    for (const text of lines) line(text.replace(/\r$/, ''));
  };
}

export function readId(id: string): { epoch: string; seq: number } | null {
  const match = /^(.+):(\d+)$/.exec(id);
  return match === null ? null : { epoch: match[1] ?? '', seq: Number(match[2]) };
}
