/** The client of the API that all parts of a page share. It carries the key that this browser stores. */
import { createClient } from '../../src/client';

const STORED_KEY = 'prediction-market.api-key';

export const apiUrl = document.body.dataset.api ?? '/api/v2';

export const storedKey = {
  get: (): string | null => localStorage.getItem(STORED_KEY),
  set(key: string): void {
    localStorage.setItem(STORED_KEY, key);
    client.useApiKey(key);
  },
  clear(): void {
    localStorage.removeItem(STORED_KEY);
    client.useApiKey(null);
  },
};

/** A reader at the page is told of a failure soon, and tries again by hand. */
const LONGEST_WAIT_MS = 15_000;

export const client = createClient({
  baseUrl: apiUrl,
  // The service itself has sent this page, and may know itself by another name than the reader's browser.
  serviceUrl: null,
  apiKey: storedKey.get() ?? undefined,
  timeoutMs: LONGEST_WAIT_MS,
  retry: { totalMs: LONGEST_WAIT_MS },
});
