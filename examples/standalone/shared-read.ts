/** Lets all figures of one scrape share one read of the storage. The result is `null` if the read fails. */
export function sharedRead<Figures>(read: () => Promise<Figures>): () => Promise<Figures | null> {
  let asking: Promise<Figures | null> | null = null;
  return () =>
    (asking ??= read()
      .catch(() => null)
      .finally(() => (asking = null)));
}
