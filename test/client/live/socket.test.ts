/** The edge to a WebSocket. */
import { openSocket, type SocketClass } from '../../../src/client/live/socket';

const Refused = function (): never {
  throw new DOMException('The policy of the page forbids it', 'SecurityError');
} as unknown as SocketClass;

it.each([
  ['that the browser refuses to make', Refused],
  ['of which this Node has no class', null],
])('reports a socket %s as closed, so that the client uses the stream', async (_which, socketClass) => {
  const closed = jest.fn();
  const wire = { message: jest.fn(), reached: jest.fn(), alive: jest.fn(), closed };
  const connection = openSocket(socketClass, 'wss://market.example/api/v2/ws', wire);
  // As with any other socket, the end is told after the caller has its connection.
  expect(closed).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(closed.mock.calls).toEqual([['other']]);
  connection.send({ op: 'ping' });
  connection.close();
});
