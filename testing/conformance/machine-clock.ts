/**
 * Does the work while `Date` shows a later time. An adapter that judges by `Date.now()` or `new Date()` then judges
 * wrongly. An adapter that judges by the time of its service does not.
 */
export function withLaterMachineClock<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  return withMachineClock((now) => now + byMs, work);
}

/** Does the work while the clock of this machine stands still. */
export function withStoppedMachineClock<T>(work: () => Promise<T>): Promise<T> {
  const begin = Date.now();
  return withMachineClock(() => begin, work);
}

/** The `Date` of this machine, while another clock replaces it. */
let shownOver: DateConstructor | null = null;

/**
 * Restores the real `Date`. The kit calls this after each check, because a check that never ends does not restore
 * it.
 */
export function restoreMachineClock(): void {
  if (shownOver !== null) globalThis.Date = shownOver;
  shownOver = null;
}

async function withMachineClock<T>(shown: (now: number) => number, work: () => Promise<T>): Promise<T> {
  restoreMachineClock();
  const { Date: ofMachine } = globalThis;
  shownOver = ofMachine;
  globalThis.Date = new Proxy(ofMachine, {
    construct: (target, values: unknown[], made) =>
      Reflect.construct(target, values.length === 0 ? [shown(target.now())] : values, made) as Date,
    get: (target, name): unknown => (name === 'now' ? () => shown(target.now()) : Reflect.get(target, name)),
  });
  try {
    return await work();
  } finally {
    restoreMachineClock();
  }
}
