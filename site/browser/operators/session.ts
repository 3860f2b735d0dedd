/** The operator's token. It is kept in the session storage of this tab, and sent in the header of requests. */
import {
  createClient,
  PredictionMarketApiError,
  type ApiErrorCode,
  type PredictionMarketClient,
} from '../../../src/client';
import { find, say, show } from '../dom';
import { explain, isTokenRefusal, onTokenRefusal } from './failures';

const STORED_TOKEN = 'prediction-market.operator-token';
const REFUSED = 'The server refused this token. Check it, and sign in again.';

const adminUrl = find('[data-operators]')?.dataset.admin ?? '/api/v2/admin';

function clientWith(adminToken: string): PredictionMarketClient {
  return createClient({
    baseUrl: document.body.dataset.api ?? '/api/v2',
    // The client would resolve a path on the origin of the API, which may differ from the origin of the page.
    adminUrl: new URL(adminUrl, location.href).href,
    adminToken,
  });
}

/** Calls a route of the host below `adminUrl`, with the operator's token. */
export type HostCall = (method: 'GET' | 'POST', path: string) => Promise<unknown>;

function hostCallWith(adminToken: string): HostCall {
  return async (method, path) => {
    const failure = (code: string, status: number, details?: unknown): PredictionMarketApiError =>
      new PredictionMarketApiError(`${method} ${path}: ${code}`, {
        ...{ code: code as ApiErrorCode, status, method, path, attempts: 1, details },
        outcome: method === 'GET' || (status >= 400 && status < 500) ? 'refused' : 'unknown',
      });
    const headers = { Authorization: `Bearer ${adminToken}` };
    const response = await fetch(adminUrl + path, { method, headers }).catch(() => {
      throw failure('NETWORK_ERROR', 0);
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return body;
    const { code } = (body ?? {}) as { code?: unknown };
    throw failure(typeof code === 'string' ? code : 'UNEXPECTED_ANSWER', response.status, body);
  };
}

/** The token of an address such as `/operators#token=…`. It is removed from the address at once. */
function takeTokenFromAddress(): string | null {
  if (!location.hash.startsWith('#token=')) return null;
  const token = location.hash.slice('#token='.length);
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Calls `start` after each sign-in, and at once if this tab has a token. */
export function startSession(start: (client: PredictionMarketClient, host: HostCall) => void): void {
  const view = find('[data-view]');
  const form = find<HTMLFormElement>('[data-sign-in]');
  const message = find('[data-message]', form ?? document);

  function showSignedIn(isSignedIn: boolean): void {
    show(find('[data-signed-out]'), !isSignedIn);
    show(find('[data-sign-out]'), isSignedIn);
    show(view, isSignedIn);
  }
  function signOut(text: string, kind: 'good' | 'bad'): void {
    sessionStorage.removeItem(STORED_TOKEN);
    view?.replaceChildren();
    showSignedIn(false);
    say(message, text, kind);
    find('#operator-token')?.focus();
  }
  function enter(token: string): void {
    sessionStorage.setItem(STORED_TOKEN, token);
    say(message, '');
    showSignedIn(true);
    start(clientWith(token), hostCallWith(token));
  }
  let isBusy = false;
  async function signIn(token: string): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    say(message, 'Signing in…');
    try {
      // Other characters cannot be part of a bearer token.
      if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(REFUSED);
      await clientWith(token).admin.treasury.get();
      enter(token);
    } catch (error) {
      say(message, isTokenRefusal(error) ? REFUSED : explain(error), 'bad');
    } finally {
      isBusy = false;
    }
  }

  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = find<HTMLInputElement>('#operator-token');
    const token = input?.value.trim() ?? '';
    if (input !== null) input.value = '';
    void signIn(token);
  });
  find('[data-sign-out]')?.addEventListener('click', () => signOut('You are signed out.', 'good'));
  onTokenRefusal(() => signOut('The server no longer takes the token of this tab. Sign in again.', 'bad'));
  addEventListener('hashchange', () => {
    const token = takeTokenFromAddress();
    if (token !== null) void signIn(token);
  });

  const brought = takeTokenFromAddress();
  const stored = sessionStorage.getItem(STORED_TOKEN);
  if (brought !== null) void signIn(brought);
  else if (stored !== null) enter(stored);
}
