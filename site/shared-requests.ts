/**
 * For `lifetimeMs` after a call, further calls with the same name share its promise, also while the work is under way.
 * A failure is not kept.
 */

export function shareForAMoment<T>(
  lifetimeMs: number,
  now: () => number,
  mostEntries = 1000,
): (name: string, make: () => Promise<T>) => Promise<T> {
  const entries = new Map<string, { until: number; work: Promise<T> }>();

  return (name, make) => {
    const known = entries.get(name);
    entries.delete(name);
    if (known !== undefined && known.until > now() && known.until <= now() + lifetimeMs) {
      entries.set(name, known);
      return known.work;
    }
    // Each use inserts an entry again, and a Map keeps the order of insertion. So the first is the least recently used.
    for (const oldest of entries.keys()) {
      if (entries.size < mostEntries) break;
      entries.delete(oldest);
    }
    const entry = { until: now() + lifetimeMs, work: make() };
    entries.set(name, entry);
    entry.work.catch(() => {
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry.work;
  };
}
