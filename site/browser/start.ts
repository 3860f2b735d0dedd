/**
 * What every page except the operators' pages and the frames starts: the session, the forms that send
 * themselves, and the line that says whether the page is live.
 */
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
