/** Starts what the pages share: the session, forms that are sent at a change, and the live status. */
import { startLive } from './live';
import { startConnectDialog } from './connect-dialog';

/** `isLive`: the page follows channels of its own, so it starts the feed itself. */
export function startPage({ isLive }: { isLive: boolean }): void {
  startConnectDialog();
  if (!isLive) startLive([], null);
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-submit-on-change]')) {
    form.addEventListener('change', () => form.requestSubmit());
  }
}
