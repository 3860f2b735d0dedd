/** The dialog that connects and disconnects a wallet, and the button that opens it. */
import { shortAddress } from '../format';
import { drawWalletButtons } from './browser-wallets';
import { startThrowAwayDialog } from './throw-away/dialog';
import { find, messageOf, say, show, usd } from './dom';
import {
  currentWallet,
  onSession,
  refreshSession,
  signInWith,
  signInWithKey,
  signOut,
  type VisitorSession,
} from './session';

const dialog = find<HTMLDialogElement>('#connect');
const message = find('[data-session-message]');
const button = find<HTMLButtonElement>('[data-session]');

/** `reason`: the text that the dialog shows, such as why a wallet is needed. */
export function openDialog(reason = ''): void {
  say(message, reason);
  if (dialog !== null && !dialog.open) dialog.showModal();
}

async function signIn(work: () => Promise<void>): Promise<void> {
  say(message, 'Working…');
  try {
    await work();
    dialog?.close();
  } catch (error) {
    say(message, messageOf(error), 'bad');
  }
}

export function startConnectDialog(): void {
  show(button, true);
  button?.addEventListener('click', () => openDialog());
  for (const opener of document.querySelectorAll('[data-session-open]'))
    opener.addEventListener('click', () => openDialog());
  const wallets = find('[data-wallets]');
  if (wallets !== null)
    drawWalletButtons(wallets, find('[data-no-wallet]'), (wallet) => void signIn(() => signInWith(wallet)));
  find<HTMLFormElement>('[data-key-login]')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = find<HTMLInputElement>('#api-key');
    const key = input?.value.trim() ?? '';
    if (input !== null) input.value = '';
    void signIn(() => signInWithKey(key));
  });
  find('[data-forget]')?.addEventListener('click', () => {
    signOut();
    dialog?.close();
  });
  startThrowAwayDialog({ signIn, openDialog, closeDialog: () => dialog?.close() });
  onSession(showSession);
  refreshSession().catch(() => undefined);
}

function showSession(session: VisitorSession): void {
  show(find('[data-signed-out]'), (currentWallet()?.signer ?? null) === null);
  show(find('[data-signed-in]'), session !== null);
  const address = session === null ? '' : shortAddress(session.address);
  if (button !== null)
    button.textContent = session === null ? 'Connect' : `${address} · ${usd(session.available)}`;
  find('#connect-title')?.replaceChildren(session === null ? 'Connect' : 'Connected');
  find('[data-session-address]')?.replaceChildren(session?.address ?? '');
  for (const balance of document.querySelectorAll('[data-session-balance]'))
    balance.replaceChildren(session === null ? '' : usd(session.available));
}
