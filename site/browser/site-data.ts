/** Reads the site's own JSON below `/site-data`, which needs no key. */
import { createServerClock } from './live/server-clock';
import { base } from './dom';

export const serverClock = createServerClock(() => performance.now());

export async function siteData<T>(path: string): Promise<T> {
  const sentAt = performance.now();
  const response = await fetch(`${base}/site-data/${path}`).catch((cause: unknown) => {
    throw new Error('The server cannot be reached.', { cause });
  });
  serverClock.heard(response.headers, sentAt, performance.now());
  const body = (await response.json().catch(() => null)) as (T & { message?: string }) | null;
  if (response.ok && body !== null) return body;
  throw new Error(body?.message ?? `The server answered ${response.status}.`);
}
