import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FeedBatch } from '../feed/types';
import { batchFrames, textFrame } from './frames';

const NOTHING = Buffer.alloc(0);

export interface SocketWriter {
  send(text: string): void;
  sendBatch(batch: FeedBatch): void;
  /** Sends a ping frame, then `text` as a message. */
  ping(text: string): void;
  /** The number of bytes that the client has not taken yet. */
  waiting(): number;
  /** Calls back once, when the client has taken the bytes that wait now, or some of them. */
  afterTaken(listener: () => void): void;
}

/** Makes the bytes of a batch once for all sockets, and sends them in one write. */
export function sharedSocketWriter(ws: WebSocket, socket: Duplex): SocketWriter {
  return new SharedSocketWriter(ws, socket);
}

/**
 * For a socket with permessage-deflate. Each such socket compresses its own bytes, so `ws` sends every
 * message.
 */
export function compressingSocketWriter(ws: WebSocket): SocketWriter {
  return new CompressingSocketWriter(ws);
}

class SharedSocketWriter implements SocketWriter {
  readonly #ws: WebSocket;
  readonly #socket: Duplex;

  constructor(ws: WebSocket, socket: Duplex) {
    this.#ws = ws;
    this.#socket = socket;
  }

  // `ws` writes each of its own frames (pings, the close frame) in one piece. So this code may write frames
  // of its own between them.
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

  // The socket calls back when the bytes before the empty write have left. The event `drain` would not do: it comes
  // only if more bytes wait than the host's server has set as its `highWaterMark`.
  afterTaken(listener: () => void): void {
    if (this.#socket.writable) this.#socket.write(NOTHING, listener);
  }
}

class CompressingSocketWriter implements SocketWriter {
  readonly #ws: WebSocket;
  #taken: (() => void) | null = null;

  constructor(ws: WebSocket) {
    this.#ws = ws;
  }

  send(text: string): void {
    this.#ws.send(text, () => {
      const told = this.#taken;
      this.#taken = null;
      told?.();
    });
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

  // Called while bytes wait, so the callback of a message is still to come.
  afterTaken(listener: () => void): void {
    this.#taken = listener;
  }
}
