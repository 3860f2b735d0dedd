/** The edge to the browser's WebSocket. */
import { openSocket } from '../../../src/client/live/socket';

class Refused {
  constructor() {
    throw new DOMException('The policy of the page forbids it', 'SecurityError');
  }
}

const before = globalThis.WebSocket;
beforeEach(() => void Object.assign(globalThis, { WebSocket: Refused }));
afterEach(() => void Object.assign(globalThis, { WebSocket: before }));

it('reports a socket that the browser refuses to make as closed, so that the page uses the stream', async () => {
  const closed = jest.fn();
  const wire = { message: jest.fn(), reached: jest.fn(), alive: jest.fn(), closed };
  const connection = openSocket('wss://market.example/api/v2/ws', wire);
  // As with any other socket, the end is told after the caller has its connection.
  expect(closed).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(closed.mock.calls).toEqual([['other']]);
  connection.send({ op: 'ping' });
  connection.close();
});
