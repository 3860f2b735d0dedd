import type { WindowsPlace } from '../../site/browser/pending';

/** The code under test awaits a turn between two steps. A test may choose the order in which waiting steps go on. */
export type Turn = () => Promise<unknown>;

export interface Browser {
  open(): WindowsPlace;
}

export function oneWindow(texts = new Map<string, string>()): WindowsPlace {
  return {
    storage: {
      getItem: (name) => texts.get(name) ?? null,
      setItem: (name, text) => void texts.set(name, text),
      removeItem: (name) => void texts.delete(name),
    },
    locks: null,
    pause: () => Promise.resolve(),
  };
}

interface Change {
  name: string;
  text: string | null;
  writer: number;
}

/**
 * A window shows its own changes at once and the changes of other windows late. All windows get the changes in one
 * order. After its own change of a text, a window ignores other changes of that text until its own change comes back in
 * that order.
 */
export function browser(turn: Turn, hasLocks: boolean): Browser {
  const deliveries: ((change: Change) => void)[] = [];
  let underWay = 0;
  let drained: (() => void)[] = [];
  const locks = hasLocks ? lockManager(turn) : null;

  function arrived(): void {
    underWay -= 1;
    if (underWay > 0) return;
    for (const wake of drained) wake();
    drained = [];
  }
  async function spread(change: Change): Promise<void> {
    for (const deliver of deliveries) deliver(change);
    arrived();
  }
  return {
    open() {
      const view = new Map<string, string>();
      const unheard: Change[] = [];
      const writer = deliveries.length;
      let sending: Promise<unknown> = Promise.resolve();
      let hearing: Promise<unknown> = Promise.resolve();
      const write = (name: string, text: string | null): void => {
        const change: Change = { name, text, writer };
        show(change);
        unheard.push(change);
        underWay += 1;
        sending = sending.then(turn).then(() => spread(change));
      };
      const show = ({ name, text }: Change): void => {
        if (text === null) view.delete(name);
        else view.set(name, text);
      };
      deliveries.push((change) => {
        underWay += 1;
        hearing = hearing.then(turn).then(() => {
          if (change.writer === writer) unheard.shift();
          else if (!unheard.some(({ name }) => name === change.name)) show(change);
          arrived();
        });
      });
      return {
        storage: {
          getItem: (name) => view.get(name) ?? null,
          setItem: write,
          removeItem: (name) => write(name, null),
        },
        locks,
        pause: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
      };
    },
  };
}

function lockManager(turn: Turn): NonNullable<WindowsPlace['locks']> {
  const held = new Map<string, Promise<unknown>>();
  return {
    request(name, work) {
      const before = held.get(name) ?? Promise.resolve();
      const result = before.then(turn).then(work);
      held.set(
        name,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}
