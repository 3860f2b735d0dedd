/**
 * Keeps a page supplied: from a socket, else from a stream, else by asking. It always returns to the best of
 * the three that works, and resumes there without losing or doubling a message.
 */
import { backOff } from './back-off';
import { openLink, type Connectors, type Link, type LinkKind, type Timers } from './link';
import { ACCOUNT, type ChannelEvent, type Snapshot } from './messages';
import { createEventPositions } from './event-positions';

/**
 * `connecting`: the first attempt is under way, or there is nothing to follow. `live`: news arrive by themselves. `asking`: the page asks
 * every few seconds. `away`: the server does not answer.
 */
export type FeedStatus = 'connecting' | 'live' | 'asking' | 'away';

export interface FeedListener {
  /** Each message of a channel once and in order. */
  event(event: ChannelEvent): void;
  /** The page has to read its data, as of this place or later. What it missed is not sent. */
  stale(channels: readonly string[], seq: number, snapshot: Snapshot): void;
  /** The key was revoked, or is wrong. The feed goes on without it. */
  keyRefused(): void;
  status(status: FeedStatus): void;
}

export interface FeedPorts {
  connectors: Connectors;
  timers: Timers;
  /** In [0, 1). */
  random(): number;
  /** Reads the data of the page again, while there is neither socket nor stream. */
  ask(): Promise<void>;
}

export interface Feed {
  start(): void;
  /** The key of the wallet that the page shows, or `null`. */
  useKey(apiKey: string | null): void;
  /** A hidden page gives up its stream, because a browser allows a server few of them. */
  setVisible(visible: boolean): void;
  /** The network may be back. */
  wake(): void;
}

const LADDER: readonly LinkKind[] = ['socket', 'stream'];
const ASK_MS = 3_000;
/** A page on a stream tries the socket again after about this time. */
const SOCKET_AGAIN_MS = 60_000;

export function createFeed(channels: readonly string[], ports: FeedPorts, listener: FeedListener): Feed {
  const { timers, random } = ports;
  const positions = createEventPositions();
  const asking = createAsking(ports, () => isVisible, tell);
  let apiKey: string | null = null;
  let isVisible = true;
  let current: Link | null = null;
  let attempt: Link | null = null;
  /** Attempts and connections that failed in a row. */
  let failures = 0;
  let cancelRound = (): void => undefined;
  let told: FeedStatus | null = null;

  function tell(): void {
    const status = statusNow();
    if (status === told) return;
    told = status;
    listener.status(status);
  }
  const followsNothing = (): boolean => channels.length === 0 && apiKey === null;
  function statusNow(): FeedStatus {
    if (followsNothing()) return 'connecting';
    if (current !== null) return current.isComplete() ? 'live' : failures === 0 ? 'connecting' : 'away';
    return asking.isAnswered() ? 'asking' : failures === 0 ? 'connecting' : 'away';
  }

  /** One attempt on each rung of the ladder above the present one. */
  function round(): void {
    cancelRound();
    attempt?.close();
    attempt = null;
    if (followsNothing()) asking.stop();
    else climb(LADDER);
  }
  function roundAfter(milliseconds: number): void {
    cancelRound();
    cancelRound = timers.after(milliseconds, round);
  }

  function climb([kind, ...lower]: readonly LinkKind[]): void {
    attempt = null;
    if (kind === undefined || kind === current?.kind) {
      roundFailed();
    } else if (kind === 'stream' && !isVisible) {
      climb(lower);
    } else {
      attempt = open(kind, lower);
    }
  }

  function roundFailed(): void {
    if (current !== null) {
      roundAfter(SOCKET_AGAIN_MS * (0.5 + random() / 2));
      return;
    }
    asking.start();
    lost();
  }

  function lost(): void {
    roundAfter(backOff(failures, random()));
    failures += 1;
    tell();
  }

  function open(kind: LinkKind, lower: readonly LinkKind[]): Link {
    const link: Link = openLink({ kind, channels, apiKey, positions }, ports, {
      event: listener.event,
      stale: listener.stale,
      keyRefused() {
        apiKey = null;
        listener.keyRefused();
      },
      scopeMissing: () => (apiKey = null),
      welcomed: () => adopt(link),
      proved: () => (failures = 0),
      changed: tell,
      ended() {
        if (link === attempt) climb(lower);
        if (link !== current) return;
        current = null;
        lost();
      },
    });
    return link;
  }

  function adopt(link: Link): void {
    // The connection before it is closed first, so that no message comes on both.
    current?.close();
    attempt = null;
    current = link;
    asking.stop();
    cancelRound();
    if (link.kind === 'stream') roundAfter(SOCKET_AGAIN_MS * (0.5 + random() / 2));
  }

  function restart(): void {
    current?.close();
    current = null;
    round();
    tell();
  }

  return {
    start() {
      round();
      tell();
    },
    useKey(next) {
      if (next === apiKey) return;
      apiKey = next;
      positions.forget(ACCOUNT);
      // Before the start, the start connects.
      if (told === null) return;
      if (current !== null && !current.useKey(next)) restart();
      else if (attempt !== null && !attempt.useKey(next)) round();
      // A page that follows its wallet alone begins or ends here.
      else if (channels.length === 0 && current === null && attempt === null) round();
      tell();
    },
    setVisible(visible) {
      isVisible = visible;
      if (visible && current === null && attempt === null && told !== null) round();
      if (visible || (current ?? attempt)?.kind !== 'stream') return;
      current?.close();
      current = null;
      attempt?.close();
      attempt = null;
      cancelRound();
      tell();
    },
    wake() {
      if (current === null && attempt === null && told !== null) round();
    },
  };
}

/** Asks now and every few seconds until it is stopped. After a failure it waits longer. */
function createAsking({ ask, timers }: FeedPorts, isVisible: () => boolean, changed: () => void) {
  /** Counts the starts, so that an answer that comes after `stop` changes nothing. */
  let turn: number | null = null;
  let turns = 0;
  let failures = 0;
  let answered = false;
  let cancel = (): void => undefined;

  function askAgain(mine: number): void {
    const wait = ASK_MS * 2 ** Math.min(failures, 4);
    cancel = timers.after(wait, () => askNow(mine));
  }
  function askNow(mine: number): void {
    if (!isVisible()) {
      askAgain(mine);
      return;
    }
    const result = (ok: boolean): void => {
      if (turn !== mine) return;
      answered = ok;
      failures = ok ? 0 : failures + 1;
      askAgain(mine);
      changed();
    };
    ask().then(
      () => result(true),
      () => result(false),
    );
  }

  return {
    isAnswered: () => answered,
    start() {
      if (turn !== null) return;
      turns += 1;
      turn = turns;
      askNow(turn);
    },
    stop() {
      cancel();
      turn = null;
      answered = false;
      failures = 0;
    },
  };
}
