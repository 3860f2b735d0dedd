/** The API client with the key that this browser stores. */
import { createClient } from '../../src/client';
import { STORED_KEY } from './stored-key-name';

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

/** Short, because the reader wants to see a failure soon, and can try again with a click. */
const LONGEST_WAIT_MS = 15_000;

export const client = createClient({
  baseUrl: apiUrl,
  // The host in messages to sign is not checked: the service has sent this page itself, and may have another name than
  // the one in the address bar.
  serviceUrl: null,
  apiKey: storedKey.get() ?? undefined,
  timeoutMs: LONGEST_WAIT_MS,
  retry: { totalMs: LONGEST_WAIT_MS },
});
