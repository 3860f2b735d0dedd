/** Listens to the events of a browser: network lost, network back, page hidden, page shown. Node has no such events. */
import type { ClientFeed } from './client-feed';

interface Target {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}
const target = globalThis as Target & { document?: Target & { hidden: boolean } };

/** Returns a function that removes the listeners. */
export function followNetwork({ wake, interrupt }: Pick<ClientFeed, 'wake' | 'interrupt'>): () => void {
  target.addEventListener?.('online', wake);
  target.addEventListener?.('offline', interrupt);
  return () => {
    target.removeEventListener?.('online', wake);
    target.removeEventListener?.('offline', interrupt);
  };
}

/** A hidden page closes its stream. Returns a function that removes the listener. */
export function followVisibility({ setVisible }: Pick<ClientFeed, 'setVisible'>): () => void {
  const { document } = target;
  if (document === undefined) return () => undefined;
  const follow = (): void => setVisible(!document.hidden);
  follow();
  document.addEventListener?.('visibilitychange', follow);
  return () => document.removeEventListener?.('visibilitychange', follow);
}
