/** What the windows of this browser share, for `pendingPlace`. */
import type { WindowsPlace } from './pending';

/** How long to wait until the other windows see a stored text. */
const PAUSE_MS = 50;

export const windowsPlace: WindowsPlace = {
  storage: localStorage,
  locks: 'locks' in navigator ? navigator.locks : null,
  pause: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
};
