import { unlessAborted } from '../../src/ports/time-limit';

/**
 * The text of an HTTP answer. If the text is longer than `mostBytes`, resolves with `null` and closes the connection,
 * so that a server cannot fill our memory. Rejects when the connection breaks off.
 */
export async function boundedText(
  body: AsyncIterable<unknown> | null,
  mostBytes: number,
): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const part = chunk as Uint8Array;
    length += part.byteLength;
    if (length > mostBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * The text of an answer that `fetch` got with this signal. Rejects when the signal is aborted, even if `fetch`
 * goes on waiting for the body.
 */
export function boundedTextOf(
  { body }: Response,
  mostBytes: number,
  signal: AbortSignal,
): Promise<string | null> {
  return unlessAborted(signal, boundedText(body, mostBytes), () => new Error('the time limit was reached'));
}
