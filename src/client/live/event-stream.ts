/** Reads `text/event-stream` as the API writes it: lines `id:` and `data:`, comments, and blank lines between. */

export interface StreamItem {
  /**
   * `<epoch>:<seq>`: with this item, the client has every message up to this position. `null`: the item has
   * no id.
   */
  id: string | null;
  data: string;
}

/** The most characters of one item. Without a bound, the stream of another server could fill the memory. */
const LARGEST_ITEM = 16_000_000;

/**
 * Returns a function that takes the text as it arrives. `take` gets each item after its blank line. `comment` is
 * called at each comment, which shows that the stream is alive.
 */
export function createEventStreamParser(
  take: (item: StreamItem) => void,
  comment: () => void,
): (chunk: string) => void {
  /** The pieces of the line that has not ended. They are joined once, because a large line has many. */
  let pieces: string[] = [];
  let id: string | null = null;
  let data: string[] = [];
  let size = 0;

  function endItem(): void {
    if (data.length > 0) take({ id, data: data.join('\n') });
    id = null;
    data = [];
    size = 0;
  }

  function endLine(): void {
    const text = pieces.join('').replace(/\r$/, '');
    pieces = [];
    if (text === '') {
      endItem();
      return;
    }
    if (text.startsWith(':')) comment();
    const [field = ''] = text.split(':', 1);
    const value = text.slice(field.length + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'id') id = value;
  }

  return (chunk) => {
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) endLine();
      size += piece.length;
      if (size > LARGEST_ITEM) throw new Error('does not end');
      if (piece !== '') pieces.push(piece);
    }
  };
}

export function readId(id: string): { epoch: string; seq: number } | null {
  const match = /^(.+):(\d+)$/.exec(id);
  return match === null ? null : { epoch: match[1] ?? '', seq: Number(match[2]) };
}
