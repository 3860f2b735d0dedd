/**
 * Frames of text (RFC 6455), as bytes that many sockets share. `ws` would make the frame of each message anew
 * for each socket. A server does not mask its frames, so the bytes are the same for all sockets.
 */
import type { FeedBatch } from '../feed/types';

const TEXT_FRAME = 0x81;

export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT_FRAME;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

export function batchFrames({ messages, conflate }: FeedBatch): Buffer {
  const framesOf = messages.map((message) =>
    conflate && message.pricedMarket !== null ? textFrame(message.conflatedText) : message.framed(textFrame),
  );
  return framesOf.length === 1 ? (framesOf[0] as Buffer) : Buffer.concat(framesOf);
}
