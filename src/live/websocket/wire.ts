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
  return new SharedWire(ws, socket);
}

/** With permessage-deflate each socket compresses for itself, so `ws` sends everything. */
export function compressingWire(ws: WebSocket): Wire {
  return new CompressingWire(ws);
}

class SharedWire implements Wire {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;

  constructor(ws: WebSocket, socket: Duplex) {
    this.#ws = ws;
    this.#socket = socket;
  }

  // `ws` writes each of its frames (pings, the close frame) whole and at once, so both writers may take turns.
  send(text: string): void {
    this.#socket.write(textFrame(text));
  }

  sendBatch(batch: FeedBatch): void {
    this.#socket.write(batch.encoded(batchFrames));
  }

  ping(text: string): void {
    this.#socket.cork();
    this.#ws.ping();
    this.send(text);
    this.#socket.uncork();
  }

  waiting(): number {
    return this.#socket.writableLength;
  }

  onTaken(listener: () => void): void {
    this.#socket.on('drain', listener);
  }
}

class CompressingWire implements Wire {
  readonly #ws: WebSocket;
  #taken = (): void => undefined;

  constructor(ws: WebSocket) {
    this.#ws = ws;
  }

  send(text: string): void {
    this.#ws.send(text, () => this.#taken());
  }

  sendBatch({ messages, conflate }: FeedBatch): void {
    for (const message of messages) this.send(conflate ? message.conflatedText : message.text);
  }

  ping(text: string): void {
    this.#ws.ping();
    this.send(text);
  }

  waiting(): number {
    return this.#ws.bufferedAmount;
  }

  onTaken(listener: () => void): void {
    this.#taken = listener;
  }
}
