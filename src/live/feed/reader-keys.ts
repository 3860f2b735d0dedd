/** The readers with API keys, and whether their keys are still active. */
import type { Storage } from '../../ports/storage';
import type { Timers } from '../../ports/timers';
import type { Connection } from './reader-connection';
import { activeKeys } from './active-keys';

/** How long the feed waits between two checks of its readers' keys. A check ends the connections of revoked keys. */
export const KEY_POLL_MS = 400;

export class ReaderKeys {
  readonly #storage: Pick<Storage, 'read'>;
  readonly #timers: Timers;
  readonly #readers = new Set<Connection>();
  #isPolling = false;

  constructor(storage: Pick<Storage, 'read'>, timers: Timers) {
    this.#storage = storage;
    this.#timers = timers;
  }

  get count(): number {
    return this.#readers.size;
  }

  add(connection: Connection): void {
    this.#readers.add(connection);
    if (!this.#isPolling) this.#poll();
  }

  remove(connection: Connection): void {
    this.#readers.delete(connection);
  }

  revoked(keyId: number): void {
    for (const connection of [...this.#readers])
      if (connection.key?.id === keyId) connection.end('key-revoked');
  }

  checkAll(): Promise<void> {
    return this.check([...this.#readers]);
  }

  /**
   * Takes over the keys as the storage has them now, and ends the connections whose keys are not active any
   * more. Rejects when it is not known which keys are active.
   */
  async check(connections: readonly Connection[]): Promise<void> {
    const keys = connections.flatMap(({ key }) => (key === null ? [] : [key]));
    const active = await activeKeys(this.#storage, keys);
    for (const connection of connections)
      if (connection.isOpen && connection.key !== null)
        connection.applyKey(active.get(connection.key.id) ?? null);
  }

  /**
   * Checks the keys every `KEY_POLL_MS` while there are readers with keys. A check that fails ends no connection.
   */
  #poll(): void {
    this.#isPolling = this.#readers.size > 0;
    if (!this.#isPolling) return;
    this.#timers.after(KEY_POLL_MS, () => {
      this.checkAll()
        .catch(() => undefined)
        .finally(() => this.#poll());
    });
  }
}
