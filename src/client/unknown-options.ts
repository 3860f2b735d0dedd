/** Refuses unknown options. A misspelt option would have no effect, and a program in JavaScript would not notice. */
export function refuseOthers(options: object, known = /^$/): void {
  for (const name in options) if (!known.test(name)) throw new TypeError(`unknown option ${name}`);
}
