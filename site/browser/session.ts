/**
 * The session: the API key that this browser stores, the wallet that owns it, and the dialog that connects and
 * disconnects.
 */
import type { BalanceView } from '../../src/index';
import type { BalanceFigures } from '../../src/client/live/messages';
import { api, Refusal } from './api';
import { storedKey } from './client';
import { find, messageOf, say, show, usd } from './page';
import { logIn, provider } from './wallet';

export type Session = BalanceView | null;

let session: Session = null;
const listeners: ((session: Session) => void)[] = [];

export const currentSession = (): Session => session;

/** Calls back at once, and whenever a wallet connects, disconnects or has another balance. */
export function onSession(listener: (session: Session) => void): void {
  listeners.push(listener);
  listener(session);
}

function changed(next: Session): void {
  session = next;
  for (const listener of listeners) listener(next);
}

/** Shows the figures that a message brought. The value of the positions is not among them, so it stays. */
export function showFunds(funds: BalanceFigures): void {
  if (session !== null) changed({ ...session, ...funds });
}

/** Ends the session, because the server has said that the key of this browser is not valid any more. */
export function signOutByServer(): void {
  storedKey.clear();
  changed(null);
  say(find('[data-session-notice]'), 'The API key of this browser was revoked. You are signed out.', 'bad');
}

export async function refreshSession(): Promise<void> {
  if (storedKey.get() === null) {
    changed(null);
    return;
  }
  try {
    changed(await api<BalanceView>('GET', '/public/balance'));
  } catch (error) {
    // A revoked key is forgotten. Other failures may be temporary.
    if (error instanceof Refusal && error.status === 401) {
      storedKey.clear();
      changed(null);
    }
    throw error;
  }
}

const dialog = find<HTMLDialogElement>('#connect');
const message = find('[data-session-message]');

export function openDialog(): void {
  say(message, '');
  dialog?.showModal();
}

async function connect(getKey: () => Promise<string> | string): Promise<void> {
  say(message, 'Working…');
  try {
    storedKey.set(await getKey());
    await refreshSession();
    say(find('[data-session-notice]'), '');
    dialog?.close();
  } catch (error) {
    say(message, messageOf(error), 'bad');
  }
}

export function startSession(): void {
  const button = find<HTMLButtonElement>('[data-session]');
  show(button, true);
  button?.addEventListener('click', openDialog);
  find('[data-session-open]')?.addEventListener('click', openDialog);
  const walletButton = find<HTMLButtonElement>('[data-wallet-login]');
  walletButton?.addEventListener('click', () => {
    if (provider() === null) show(find('[data-no-wallet]'), true);
    else void connect(logIn);
  });
  find<HTMLFormElement>('[data-key-login]')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = find<HTMLInputElement>('#api-key');
    const key = input?.value.trim() ?? '';
    if (input !== null) input.value = '';
    void connect(() => key);
  });
  find('[data-forget]')?.addEventListener('click', () => {
    storedKey.clear();
    changed(null);
    dialog?.close();
  });
  onSession((now) => {
    show(find('[data-signed-out]'), now === null);
    show(find('[data-signed-in]'), now !== null);
    const address = now === null ? '' : `${now.address.slice(0, 6)}…${now.address.slice(-4)}`;
    if (button !== null) button.textContent = now === null ? 'Connect' : `${address} · ${usd(now.available)}`;
    find('#connect-title')?.replaceChildren(now === null ? 'Connect' : 'Connected');
    find('[data-session-address]')?.replaceChildren(now?.address ?? '');
    find('[data-session-balance]')?.replaceChildren(now === null ? '' : usd(now.available));
  });
  refreshSession().catch(() => undefined);
}
