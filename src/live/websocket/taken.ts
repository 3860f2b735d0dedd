import type { Duplex } from 'node:stream';

/**
 * Whether another listener of the server has taken the socket of an upgrade request, so that a byte of ours would
 * stand in the middle of what that listener sends: it has ended the socket with an answer, or it reads from it. Node
 * itself stops reading before it hands the socket out.
 */
export function isTaken(socket: Duplex): boolean {
  const isRead =
    socket.readableFlowing !== null && socket.listenerCount('data') + socket.listenerCount('readable') > 0;
  return !socket.destroyed && (socket.writableEnded || isRead);
}
