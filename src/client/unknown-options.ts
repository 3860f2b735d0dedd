/**
 * Refuses unknown options. A misspelt option would have no effect, and a program in JavaScript would not notice. `known`
 * has the names, separated by spaces.
 */
export function refuseOthers(options: object, known: string): void {
  for (const name in options) {
    if (known.split(' ').includes(name)) continue;
    // Pages load this code, so it is short: it finds mistakes in capitals and in the last two letters, and missing parts.
    const start = name.slice(0, Math.max(3, name.length - 2));
    const near = /^\w{3,}$/.test(start) && known.match(RegExp(`\\w*${start}\\w*`, 'i'));
    throw new TypeError(`unknown option ${name}${near ? `; did you mean ${near[0]}?` : ''}`);
  }
}
