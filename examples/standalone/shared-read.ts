/** Calls during a running `read` share its result. The result is `null` if `read` rejects. */
export function sharedRead<Figures>(read: () => Promise<Figures>): () => Promise<Figures | null> {
  let asking: Promise<Figures | null> | null = null;
  return () =>
    (asking ??= read()
      .catch(() => null)
      .finally(() => (asking = null)));
}
