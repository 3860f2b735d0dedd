/**
 * Finds variables of the environment that are probably misspelt settings. Without a warning, the server would
 * start with the defaults of these settings.
 */

export interface Misspelt {
  given: string;
  meant: string;
}

/**
 * The given names that differ from a known name by one letter, by two letters that are exchanged, or by capitals and
 * separators. Names that differ by more, such as `HOSTNAME`, belong to other programs.
 */
export function misspelt(given: readonly string[], known: readonly string[]): Misspelt[] {
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((candidate) => isNear(bare(name), bare(candidate)));
      return meant === undefined ? [] : [{ given: name, meant }];
    });
}

const bare = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  const first = [...one].findIndex((letter, index) => letter !== other[index]);
  const start = first === -1 ? one.length : first;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isReplaced = a.slice(1) === b.slice(1);
  const isAdded = a.slice(1) === b || a === b.slice(1);
  const isSwapped = a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0];
  return isReplaced || isAdded || isSwapped;
}
