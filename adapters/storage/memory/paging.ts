export function take<T>(items: Iterable<T>, limit: number): T[] {
  const taken: T[] = [];
  if (limit <= 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}

export function* only<T>(items: Iterable<T>, holds: (item: T) => boolean): Generator<T, void, undefined> {
  for (const item of items) if (holds(item)) yield item;
}

/**
 * One page of several sorted branches, merged. The merge takes offset + limit steps, however long the branches
 * are.
 */
export function mergedPage<T>(
  branches: readonly Iterable<T>[],
  compare: (a: T, b: T) => number,
  { limit, offset }: { limit: number; offset: number },
): T[] {
  const heads = branches.map((branch) => head(branch[Symbol.iterator]())).filter((entry) => entry !== null);
  const page: T[] = [];
  for (let position = 0; page.length < limit && heads.length > 0; position += 1) {
    const at = leastOf(heads, compare);
    const least = heads[at] as Head<T>;
    if (position >= offset) page.push(least.item);
    const next = head(least.rest);
    if (next === null) heads.splice(at, 1);
    else heads[at] = next;
  }
  return page;
}

interface Head<T> {
  item: T;
  rest: Iterator<T>;
}

function head<T>(rest: Iterator<T>): Head<T> | null {
  const step = rest.next();
  return step.done === true ? null : { item: step.value, rest };
}

function leastOf<T>(heads: readonly Head<T>[], compare: (a: T, b: T) => number): number {
  let least = 0;
  for (let at = 1; at < heads.length; at += 1) {
    if (compare((heads[at] as Head<T>).item, (heads[least] as Head<T>).item) < 0) least = at;
  }
  return least;
}
