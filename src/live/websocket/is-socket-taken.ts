import type { Duplex } from 'node:stream';

/**
 * Whether another listener of the server has taken the socket of an upgrade request. That listener has ended
 * the socket with an answer, or reads from the socket. If we wrote to the socket too, our bytes would mix
 * with the bytes of that listener.
 */
export function isTaken(socket: Duplex): boolean {
  const isRead =
    socket.readableFlowing !== null && socket.listenerCount('data') + socket.listenerCount('readable') > 0;
  return !socket.destroyed && (socket.writableEnded || isRead);
}
