/** How bytes get to the client of a socket. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FeedBatch } from '../feed/types';
import { batchFrames, textFrame } from './frames';

export interface Wire {
  send(text: string): void;
  sendBatch(batch: FeedBatch): void;
  /** A ping frame, and the text behind it. */
  ping(text: string): void;
  /** Bytes that the client has not taken yet. */
  waiting(): number;
  /** Calls back when the client has taken something. */
  onTaken(listener: () => void): void;
}

/** The bytes of a batch are made once for all sockets, and leave in one write. */
export function sharedWire(ws: WebSocket, socket: Duplex): Wire {
  // `ws` writes each of its frames (pings, the close frame) whole and at once, so both writers may take turns.
  const write = (bytes: Buffer): void => void socket.write(bytes);
  return {
    send: (text) => write(textFrame(text)),
    sendBatch: (batch) => write(batch.encoded(batchFrames)),
    ping(text) {
      socket.cork();
      ws.ping();
      write(textFrame(text));
      socket.uncork();
    },
    waiting: () => socket.writableLength,
    onTaken: (listener) => void socket.on('drain', listener),
  };
}

/** With permessage-deflate each socket compresses for itself, so `ws` sends everything. */
export function compressingWire(ws: WebSocket): Wire {
  let taken = (): void => undefined;
  const send = (text: string): void => ws.send(text, () => taken());
  return {
    send,
    sendBatch({ messages, conflate }) {
      for (const message of messages) send(conflate ? message.textWithoutPrev : message.text);
    },
    ping(text) {
      ws.ping();
      send(text);
    },
    waiting: () => ws.bufferedAmount,
    onTaken: (listener) => void (taken = listener),
  };
}
