/** The connection that supplies the client, and an attempt to get a better one. A socket is better than a stream. */
import type { Link, LinkKind, LinkListener } from './link';

const BEST_FIRST: readonly LinkKind[] = ['socket', 'stream'];

export interface TransportFallbackPorts {
  open(kind: LinkKind, events: Pick<LinkListener, 'welcomed' | 'ended'>): Link;
  mayUse(kind: LinkKind): boolean;
  adopted(kind: LinkKind): void;
  /** No attempt has succeeded. The current connection stays. */
  failed(): void;
  lost(): void;
}

export interface TransportFallback {
  current(): Link | null;
  /** The connection that the server has not welcomed yet. */
  attempt(): Link | null;
  /** Tries each kind that is better than the present one, the best first. Replaces an attempt under way. */
  tryBetter(): void;
  cancel(): void;
  close(): void;
}

export function createTransportFallback({
  open,
  mayUse,
  adopted,
  failed,
  lost,
}: TransportFallbackPorts): TransportFallback {
  let current: Link | null = null;
  let attempt: Link | null = null;

  function cancel(): void {
    attempt?.close();
    attempt = null;
  }

  function tryBetter([kind, ...lower]: readonly LinkKind[]): void {
    attempt = null;
    if (kind === undefined || kind === current?.kind) failed();
    else if (mayUse(kind)) attempt = openOn(kind, lower);
    else tryBetter(lower);
  }

  function openOn(kind: LinkKind, lower: readonly LinkKind[]): Link {
    const link: Link = open(kind, {
      welcomed: () => adopt(link),
      ended() {
        if (link === attempt) tryBetter(lower);
        if (link !== current) return;
        current = null;
        lost();
      },
    });
    return link;
  }

  function adopt(link: Link): void {
    // The old connection is closed first, so that no message comes on both connections.
    current?.close();
    attempt = null;
    current = link;
    adopted(link.kind);
  }

  return {
    current: () => current,
    attempt: () => attempt,
    tryBetter() {
      cancel();
      tryBetter(BEST_FIRST);
    },
    cancel,
    close() {
      cancel();
      current?.close();
      current = null;
    },
  };
}
