type Waiter = { kind: 'exclusive' | 'shared'; start: () => void };

/**
 * The lock of the storage. Transactions have it one at a time, in the order of arrival, and snapshots share it. A
 * statement outside of both runs at once while no transaction writes, or else before the next transaction.
 */
export class TransactionLock {
  #writing = false;
  #snapshots = 0;
  #queue: Waiter[] = [];
  #statements: (() => void)[] = [];

  /** Runs a statement at once, or as soon as no transaction writes. */
  whenIdle<T>(statement: () => T): Promise<T> {
    if (!this.#writing) return asPromise(statement);
    return new Promise<T>((resolve, reject) => {
      this.#statements.push(() => {
        asPromise(statement).then(resolve, reject);
      });
    });
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#writing || this.#snapshots > 0 || this.#queue.length > 0) await this.#waitFor('exclusive');
    else this.#writing = true;
    try {
      return await work();
    } finally {
      this.#writing = false;
      this.#advance();
    }
  }

  async shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.#writing || this.#queue.length > 0) await this.#waitFor('shared');
    else this.#snapshots += 1;
    try {
      return await work();
    } finally {
      this.#snapshots -= 1;
      this.#advance();
    }
  }

  #waitFor(kind: Waiter['kind']): Promise<void> {
    return new Promise((start) => this.#queue.push({ kind, start }));
  }

  #advance(): void {
    if (this.#writing) return;
    const statements = this.#statements;
    this.#statements = [];
    // The statements run now and not in a later microtask, because the next writer would be at work by then.
    for (const run of statements) run();
    for (let next = this.#queue[0]; next !== undefined && !this.#writing; next = this.#queue[0]) {
      if (next.kind === 'exclusive' && this.#snapshots > 0) return;
      if (next.kind === 'exclusive') this.#writing = true;
      else this.#snapshots += 1;
      this.#queue.shift();
      next.start();
    }
  }
}

/** Runs the statement now. An error becomes a rejection. */
async function asPromise<T>(statement: () => T): Promise<T> {
  return statement();
}
