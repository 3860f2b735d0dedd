const TEXT = 0x1;
const PING = 0x9;
/**
 * Every message begins with `{"type":"`. The byte after it distinguishes the messages that this bench gets: `event`,
 * `heartbeat`, `welcome` and `subscribed`.
 */
const TYPE_OFFSET = 9;
const EVENT = 'e'.charCodeAt(0);
const SUBSCRIBED = 's'.charCodeAt(0);
const LARGEST_HEADER = 10;
/** A pong without content. A client has to mask its frames, and this mask is zeros. */
export const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

export interface FrameCounter {
  /** Reads the next bytes, and returns how many further events were counted. Copies the bytes that are needed later. */
  read(bytes: Buffer): number;
}

interface FrameListener {
  ping(): void;
  subscribed(): void;
  event(text: string): void;
}

/**
 * Counts events. Without `readsText`, an event counts as soon as the type of the message has arrived. With `readsText`,
 * an event counts when its frame is complete.
 */
export function createFrameCounter(listener: FrameListener, readsText: boolean): FrameCounter {
  let kept: Buffer | null = null;
  let skip = 0;
  return {
    read(chunk) {
      if (skip >= chunk.length) {
        skip -= chunk.length;
        return 0;
      }
      const bytes = kept === null ? chunk : Buffer.concat([kept, chunk]);
      kept = null;
      let at = skip;
      skip = 0;
      let events = 0;
      while (at < bytes.length) {
        const frame = frameAt(bytes, at);
        const wanted =
          frame === null
            ? Infinity
            : readsText
              ? frame.end
              : Math.min(frame.end, frame.start + TYPE_OFFSET + 1);
        if (frame === null || wanted > bytes.length) {
          kept = Buffer.from(bytes.subarray(at));
          return events;
        }
        if (frame.opcode === PING) listener.ping();
        const type = frame.opcode === TEXT ? bytes[frame.start + TYPE_OFFSET] : null;
        if (type === SUBSCRIBED) listener.subscribed();
        if (type === EVENT) {
          events += 1;
          if (readsText) listener.event(bytes.toString('latin1', frame.start, frame.end));
        }
        at = frame.end;
      }
      skip = at - bytes.length;
      return events;
    },
  };
}

/** Returns `null` while the header of the frame is incomplete. The frames of a server have no mask. */
function frameAt(bytes: Buffer, at: number): { opcode: number; start: number; end: number } | null {
  const first = bytes[at];
  const short = bytes[at + 1];
  if (first === undefined || short === undefined) return null;
  const header = short < 126 ? 2 : short === 126 ? 4 : LARGEST_HEADER;
  if (at + header > bytes.length) return null;
  const length =
    header === 2 ? short : header === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  return { opcode: first & 0xf, start: at + header, end: at + header + length };
}

export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? [0x81, 0x80 | payload.length]
      : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}
