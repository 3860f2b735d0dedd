import { openSocket, type SocketClass } from '../../../src/client/live/socket';
import { fakeSockets } from './fake-sockets';

const Refused = function (): never {
  throw new DOMException('The policy of the page forbids it', 'SecurityError');
} as unknown as SocketClass;

it.each([
  ['that the browser refuses to make', Refused],
  ['of which this Node has no class', null],
])(
  '`openSocket` reports a socket %s as closed, so that the client uses the stream',
  async (_which, socketClass) => {
    const closed = jest.fn();
    const wire = { message: jest.fn(), reached: jest.fn(), alive: jest.fn(), closed };
    const connection = openSocket(socketClass, 'wss://market.example/api/v2/ws', wire);
    expect(closed).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(closed.mock.calls).toEqual([['other']]);
    connection.send({ op: 'ping' });
    connection.close();
  },
);

describe('a message that cannot be handled ends the connection, and not the process', () => {
  function opened(message: () => void) {
    const { socketClass, last } = fakeSockets();
    const wire = { message: jest.fn(message), reached: jest.fn(), alive: jest.fn(), closed: jest.fn() };
    openSocket(socketClass, 'wss://market.example/api/v2/ws', wire);
    return { wire, socket: last() };
  }

  it('when it lacks what its type has', () => {
    const { wire, socket } = opened(() => undefined);
    socket.say({ type: 'resync' });
    expect([wire.message.mock.calls, wire.closed.mock.calls]).toEqual([[], [['other']]]);
  });

  it('when it is handled by code that throws', () => {
    const { wire, socket } = opened(() => {
      throw new TypeError('channels is not iterable');
    });
    socket.say({ type: 'heartbeat' });
    expect(wire.closed.mock.calls).toEqual([['other']]);
  });
});
