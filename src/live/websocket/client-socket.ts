/**
 * The socket of one client. All sockets share their listeners, because functions for each socket would take much
 * of the memory of a quiet socket.
 */
import { WebSocket, type RawData } from 'ws';

export interface SocketOwner {
  received(data: RawData, isBinary: boolean): void;
  pingAnswered(): void;
  /** `ws` could not read a frame, or the connection broke. */
  failed(error: Error): void;
  closed(): void;
}

export class ClientSocket extends WebSocket {
  owner: SocketOwner | null = null;

  /** Called once, when the socket is open. */
  belongTo(owner: SocketOwner): void {
    this.owner = owner;
    this.on('message', onMessage).on('pong', onPong).on('close', onClose);
    // Without a listener, an oversized frame would end the process. `ws` itself sends the close frame.
    this.on('error', onError);
  }
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  ownerOf(this)?.received(data, isBinary);
}

function onPong(this: WebSocket): void {
  ownerOf(this)?.pingAnswered();
}

function onError(this: WebSocket, error: Error): void {
  ownerOf(this)?.failed(error);
}

function onClose(this: WebSocket): void {
  ownerOf(this)?.closed();
}

function ownerOf(socket: WebSocket): SocketOwner | null {
  return socket instanceof ClientSocket ? socket.owner : null;
}
