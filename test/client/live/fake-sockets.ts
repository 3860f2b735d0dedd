import type { ServerMessage } from '../../../src/client/live/server-messages';
import type { SocketClass } from '../../../src/client/live/socket';

export class FakeSocket extends EventTarget {
  readonly readyState = 1;
  readonly sent: Record<string, unknown>[] = [];
  isOpen = true;
  constructor(readonly address: string) {
    super();
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.isOpen = false;
  }
  say(message: ServerMessage | Record<string, unknown>): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }
  end(code = 1006): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

export function fakeSockets() {
  const sockets: FakeSocket[] = [];
  const socketClass = function (address: string): FakeSocket {
    const socket = new FakeSocket(address);
    sockets.push(socket);
    return socket;
  } as unknown as SocketClass;
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error('There is no socket');
    return socket;
  };
  return { sockets, socketClass, last };
}
