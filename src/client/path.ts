/** Makes the path and the query of a request from values. */

/** The path with its parts, such as `{id}`, replaced by `values`. */
export function filled(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    const text = String(value ?? '');
    // An empty part, `.` or `..` would change the path. An object would become a text such as `[object
    // Object]`.
    if (Object(value) === value || /^\.{0,2}$/.test(text))
      throw new TypeError(`the ${name} in ${path} must not be "${text}"`);
    return encodeURIComponent(text);
  });
}

/** The query as text, with its `?`, and empty without values. */
export function searchOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}
