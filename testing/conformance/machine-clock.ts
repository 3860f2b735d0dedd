/**
 * Does the work while the clock of this machine shows a later time. An adapter that judges by `Date.now()` or `new
 * Date()` sees the later time; one that judges by what its service says does not.
 */
export async function withLaterMachineClock<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  const { Date: ofMachine } = globalThis;
  const later = new Proxy(ofMachine, {
    construct: (target, values: unknown[], made) =>
      Reflect.construct(target, values.length === 0 ? [target.now() + byMs] : values, made) as Date,
    get: (target, name): unknown => (name === 'now' ? () => target.now() + byMs : Reflect.get(target, name)),
  });
  globalThis.Date = later;
  try {
    return await work();
  } finally {
    globalThis.Date = ofMachine;
  }
}
