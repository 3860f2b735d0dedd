/** Limits how many sockets and streams each client address may have open. */
import { PredictionMarketError, serviceUnavailable } from '../domain/errors';
import type { Feed } from './feed/types';

export interface CountedConnection {
  readonly address: string;
  /** A second call has no effect. */
  release(): void;
}

export interface ConnectionLimiter {
  /**
   * Counts a connection of the address until its `release`.
   * @throws PredictionMarketError RATE_LIMIT_EXCEEDED at the limit of the address, SERVICE_UNAVAILABLE after
   * `close`.
   */
  open(address: string): CountedConnection;
  /** @throws PredictionMarketError SERVICE_UNAVAILABLE after `close`. */
  requireOpen(): void;
  /** Ends the connections of the feed. Resolves when all counted connections are released. */
  close(): Promise<void>;
}

export function createConnectionLimiter(
  feed: Pick<Feed, 'endAll'>,
  mostOfAddress: number,
): ConnectionLimiter {
  const counts = new AddressCounts(mostOfAddress);
  let closing: Promise<void> | null = null;

  function requireOpen(): void {
    if (closing !== null) throw serviceUnavailable('The service is stopping');
  }

  return {
    requireOpen,
    open(address) {
      requireOpen();
      return counts.add(address);
    },
    close() {
      closing ??= counts.empty();
      feed.endAll('shutdown');
      return closing;
    },
  };
}

class AddressCounts {
  readonly #mostOfAddress: number;
  readonly #counts = new Map<string, number>();
  #total = 0;
  #emptied = (): void => undefined;

  constructor(mostOfAddress: number) {
    this.#mostOfAddress = mostOfAddress;
  }

  add(address: string): CountedConnection {
    const open = this.#counts.get(address) ?? 0;
    if (open >= this.#mostOfAddress) {
      const message = `At most ${String(this.#mostOfAddress)} connections of one address may be open.`;
      throw new PredictionMarketError('RATE_LIMIT_EXCEEDED', message);
    }
    this.#counts.set(address, open + 1);
    this.#total += 1;
    return new Counted(this, address);
  }

  remove(address: string): void {
    this.#total -= 1;
    const left = (this.#counts.get(address) ?? 1) - 1;
    if (left === 0) this.#counts.delete(address);
    else this.#counts.set(address, left);
    if (this.#total === 0) this.#emptied();
  }

  empty(): Promise<void> {
    return new Promise((resolve) => {
      this.#emptied = resolve;
      if (this.#total === 0) resolve();
    });
  }
}

/** Thousands of these objects exist. A class lets them share their functions. */
class Counted implements CountedConnection {
  readonly address: string;
  readonly #counts: AddressCounts;
  #isOpen = true;

  constructor(counts: AddressCounts, address: string) {
    this.#counts = counts;
    this.address = address;
  }

  release(): void {
    if (this.#isOpen) this.#counts.remove(this.address);
    this.#isOpen = false;
  }
}
