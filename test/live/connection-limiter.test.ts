import { createConnectionLimiter } from '../../src/live/connection-limiter';

it('the set of connections counts each address for itself, and each connection once', () => {
  const connections = createConnectionLimiter({ endAll: () => undefined }, 2);
  const [one] = [connections.open('a'), connections.open('a')];
  expect(() => connections.open('a')).toThrow('At most 2 connections of one address');
  connections.open('b');
  one?.release();
  one?.release();
  connections.open('a');
  expect(() => connections.open('a')).toThrow(
    expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }) as Error,
  );
});

it('the set of connections ends all connections at the close, waits for them, and opens no more', async () => {
  const ended: string[] = [];
  const connections = createConnectionLimiter({ endAll: (reason) => void ended.push(reason) }, 2);
  const leaving = connections.open('a');
  const closing = connections.close().then(() => ended.push('closed'));
  expect(() => connections.open('b')).toThrow('stopping');
  expect(ended).toEqual(['shutdown']);
  leaving.release();
  await closing;
  await connections.close();
  expect(ended).toEqual(['shutdown', 'closed', 'shutdown']);
});
