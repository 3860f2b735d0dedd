export interface Inbox<Item> {
  /** `false`: the inbox is full, and the item was not taken. */
  put(item: Item): boolean;
  size(): number;
  /** Ends the inbox. The caller first gets the items that wait, then the error, if there is one. */
  end(error: (() => Error) | null): void;
  /** Ends at once, and drops the items that wait. */
  drop(): void;
  next(): Promise<IteratorResult<Item, undefined>>;
}

interface Waiter<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(error: Error): void;
}

/** `handed` is called with each item when the caller gets it. */
export function createInbox<Item>(limit: number, handed: (item: Item) => void): Inbox<Item> {
  const items = createQueue<Item>();
  /** Calls of `next` that wait for an item. */
  const waiters: Waiter<Item>[] = [];
  let ending: { error: (() => Error) | null } | null = null;

  function give(item: Item): IteratorResult<Item, undefined> {
    handed(item);
    return { done: false, value: item };
  }

  function finish(waiter: Waiter<Item>): void {
    const error = ending?.error ?? null;
    ending = { error: null };
    if (error === null) waiter.resolve({ done: true, value: undefined });
    else waiter.reject(error());
  }

  function end(error: (() => Error) | null): void {
    if (ending !== null) return;
    ending = { error };
    for (const waiter of waiters.splice(0)) finish(waiter);
  }

  return {
    put(item) {
      if (ending !== null) return true;
      const waiter = waiters.shift();
      if (waiter !== undefined) waiter.resolve(give(item));
      else if (items.size() >= limit) return false;
      else items.add(item);
      return true;
    },
    size: items.size,
    end,
    drop() {
      items.clear();
      ending = ending === null ? null : { error: null };
      end(null);
    },
    next() {
      return new Promise((resolve, reject) => {
        if (items.size() > 0) resolve(give(items.take()));
        else if (ending !== null) finish({ resolve, reject });
        else waiters.push({ resolve, reject });
      });
    },
  };
}

interface Queue<Item> {
  add(item: Item): void;
  /** Removes and returns the oldest item. There must be one. */
  take(): Item;
  size(): number;
  clear(): void;
}

/**
 * A queue in two arrays. `take` removes from the end of an array, because removing from its beginning can be slow.
 */
function createQueue<Item>(): Queue<Item> {
  let arriving: Item[] = [];
  let leaving: Item[] = [];
  return {
    add: (item) => void arriving.push(item),
    take() {
      if (leaving.length === 0) {
        leaving = arriving.reverse();
        arriving = [];
      }
      return leaving.pop() as Item;
    },
    size: () => arriving.length + leaving.length,
    clear() {
      arriving = [];
      leaving = [];
    },
  };
}
