/** Counts the sockets and streams of an instance by client address, and ends them together. */
import { PredictionMarketError, serviceUnavailable } from '../domain/errors';
import type { Feed } from './feed/types';

export interface Connections {
  /**
   * Counts a connection of the address until the returned function is called.
   * @throws PredictionMarketError RATE_LIMIT_EXCEEDED, or SERVICE_UNAVAILABLE after `close`.
   */
  open(address: string): () => void;
  /** @throws PredictionMarketError SERVICE_UNAVAILABLE after `close`. */
  requireOpen(): void;
  /** Ends all connections and opens no more. Resolves when all have ended. */
  close(): Promise<void>;
}

export function createConnections(feed: Pick<Feed, 'endAll'>, mostOfAddress: number): Connections {
  const counts = new Map<string, number>();
  let total = 0;
  let closing: Promise<void> | null = null;
  let allEnded = (): void => undefined;

  function release(address: string): void {
    total -= 1;
    const left = (counts.get(address) ?? 1) - 1;
    if (left === 0) counts.delete(address);
    else counts.set(address, left);
    if (total === 0) allEnded();
  }

  function requireOpen(): void {
    if (closing !== null) throw serviceUnavailable('The service is stopping');
  }

  return {
    requireOpen,
    open(address) {
      requireOpen();
      const open = counts.get(address) ?? 0;
      if (open >= mostOfAddress) {
        const message = `At most ${String(mostOfAddress)} connections of one address may be open.`;
        throw new PredictionMarketError('RATE_LIMIT_EXCEEDED', message);
      }
      counts.set(address, open + 1);
      total += 1;
      let isOpen = true;
      return () => {
        if (isOpen) release(address);
        isOpen = false;
      };
    },
    close() {
      closing ??= new Promise<void>((resolve) => {
        allEnded = resolve;
        if (total === 0) resolve();
      });
      feed.endAll('shutdown');
      return closing;
    },
  };
}
