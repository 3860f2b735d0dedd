/**
 * The parts of the dialog and of the banner for the throw-away wallet. Without play money, the server does not draw
 * these parts.
 */
import { find, show } from '../dom';
import {
  addPlayMoney,
  currentSession,
  currentWallet,
  forgetThrowAway,
  onSession,
  signInThrowAway,
} from '../session';
import { storedSecret } from '.';

export interface Dialog {
  /** Shows the progress of the work in the dialog. After success closes the dialog, after a failure shows the error. */
  signIn(work: () => Promise<void>): Promise<void>;
  openDialog(): void;
  closeDialog(): void;
}

export function startThrowAwayDialog({ signIn, openDialog, closeDialog }: Dialog): void {
  const begin = find('[data-begin]');
  begin?.addEventListener('click', () => {
    openDialog();
    void signIn(signInThrowAway);
  });
  find('[data-throw-away-start]')?.addEventListener('click', () => void signIn(signInThrowAway));
  find('[data-play-deposit]')?.addEventListener('click', () => void signIn(addPlayMoney));
  startSecret();
  const question = find('[data-forget-question]');
  find('[data-forget-wallet]')?.addEventListener('click', () => show(question, true));
  find('[data-forget-no]')?.addEventListener('click', () => show(question, false));
  find('[data-forget-yes]')?.addEventListener('click', () => {
    forgetThrowAway();
    closeDialog();
  });
  onSession((session) => {
    const isOwned = currentWallet()?.kind === 'throw-away';
    show(find('[data-throw-away-owned]'), isOwned);
    show(find('[data-play-deposit]'), currentSession()?.balance === 0);
    show(begin, session === null);
    show(question, false);
    const start = find('[data-throw-away-start]');
    if (storedSecret() !== null) start?.replaceChildren('Use the throw-away wallet of this browser');
    else start?.replaceChildren('Start with a throw-away wallet');
    if (!isOwned) hideSecret();
  });
}

const button = find('[data-show-secret]');
const place = find('#throw-away-secret');

function startSecret(): void {
  button?.addEventListener('click', () => {
    if (place?.hidden === false) {
      hideSecret();
      return;
    }
    place?.replaceChildren(storedSecret() ?? '');
    setExpanded(true);
  });
}

function hideSecret(): void {
  place?.replaceChildren('');
  setExpanded(false);
}

function setExpanded(isExpanded: boolean): void {
  show(place, isExpanded);
  button?.setAttribute('aria-expanded', String(isExpanded));
  button?.replaceChildren(isExpanded ? 'Hide the secret' : 'Show the secret');
}
