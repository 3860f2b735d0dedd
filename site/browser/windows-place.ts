/** What the windows of this browser share, for `pendingPlace`. */
import type { WindowsPlace } from './pending';

/** Far longer than the few milliseconds after which another window sees a text, and short for a reader. */
const PAUSE_MS = 50;

export const windowsPlace: WindowsPlace = {
  storage: localStorage,
  locks: 'locks' in navigator ? navigator.locks : null,
  pause: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
};
