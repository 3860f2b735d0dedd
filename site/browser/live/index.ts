/** Connects a page with the feed: its data, the wallet's balance, and the line that says whether the page is live. */
import type { BalanceView } from '../../../src/index';
import { apiUrl, storedKey } from '../client';
import { find } from '../dom';
import { currentSession, onSession, refreshSession, showFunds, signOutByServer } from '../session';
import { connectorsOf, ownSocketClass } from '../../../src/client/live/connectors';
import { createClientFeed, type FeedStatus } from '../../../src/client/live/client-feed';
import type { FollowRules } from '../../../src/client/live/follow-rules';
import type { Connectors, Timers } from '../../../src/client/live/link';
import { followNetwork, followVisibility } from '../../../src/client/live/network';
import { createLiveView, type LiveData, type LiveView } from './live-view';
import { ACCOUNT, type ChannelEvent, type BalanceFigures } from '../../../src/client/live/server-messages';

export interface LivePage {
  /** Whether the feed is live and the data of the page are fresh. */
  isLive(): boolean;
  refresh(): Promise<void>;
}

export const timers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A list of markets needs only the last price of each market, so the channel `prices` is conflated. */
const RULES: FollowRules = { conflated: new Set(['prices']), mostMissed: 5_000, together: false };

const TEXTS: Readonly<Record<FeedStatus, string>> = {
  connecting: '',
  live: 'Live',
  behind: 'Live',
  polling: 'Not live. The page asks for news every few seconds.',
  away: 'Not live. Trying to reach the server…',
};
/** While the page polls, it reads the balance at every fifth request, because the key has a quota. */
const ASKS_PER_BALANCE = 5;

/** `data` is null for a page that shows nothing live but the balance of its wallet. */
export function startLive<State>(
  channels: readonly string[],
  data: LiveData<State> | null,
  /** Called when `isLive` may have changed. */
  changed: () => void = () => undefined,
): LivePage {
  let status: FeedStatus = 'connecting';
  let followed: string | null = null;
  /**
   * False until the feed reports for the first time, for this key, that the account is stale. This first report is
   * ignored, because pages read the positions themselves when a wallet connects.
   */
  let isFollowingAccount = false;
  function accountStale(): void {
    if (isFollowingAccount) positionsChanged(null);
    isFollowingAccount = true;
  }
  const view = data === null ? null : createLiveView(data, timers, showNow);
  function showNow(): void {
    showStatus(status, view);
    changed();
  }
  const feed = createClientFeed(
    { channels, rules: RULES },
    { timers, random: Math.random, connectors: connectors(), ask: createAsk(view) },
    {
      event(event) {
        if (event.channel === ACCOUNT) accountEvent(event);
        else view?.event(event);
      },
      stale({ channels: staleChannels, seq, snapshot: { account } }) {
        if (account !== undefined) showFunds(account);
        else if (staleChannels.includes(ACCOUNT)) refreshSession().catch(() => undefined);
        if (account !== undefined || staleChannels.includes(ACCOUNT)) accountStale();
        if (staleChannels.some((channel) => channel !== ACCOUNT)) view?.stale(seq);
      },
      keyRefused() {
        // If the key was replaced meanwhile, the end of the old key says nothing about the new key.
        if (followed === storedKey.get()) signOutByServer();
      },
      status(next) {
        status = next;
        showNow();
      },
    },
  );
  followVisibility(feed);
  followNetwork(feed);
  onSession((session: BalanceView | null) => {
    const key = session === null ? null : storedKey.get();
    if (key !== followed) isFollowingAccount = false;
    followed = key;
    feed.useKey(key);
  });
  feed.start();
  return {
    isLive: () => shownStatus(status, view) === 'live',
    refresh: () => view?.refresh() ?? Promise.resolve(),
  };
}

/** The status that the page shows. It is `live` only if the feed is live and the data of the page are fresh. */
function shownStatus(status: FeedStatus, view: LiveView | null): FeedStatus {
  const data = view?.state() ?? 'fresh';
  if (status !== 'live' || data === 'fresh') return status;
  return data === 'failed' ? 'away' : 'connecting';
}

function showStatus(status: FeedStatus, view: LiveView | null): void {
  const text = TEXTS[shownStatus(status, view)];
  const line = find('[data-live-status]');
  // A screen reader would read the text out again if it were set again.
  if (line !== null && line.textContent !== text) line.textContent = text;
}

function connectors(): Connectors {
  const { fetch } = globalThis;
  // A fetch that is called as a method of another object fails in browsers.
  return connectorsOf({ apiUrl, fetch: (...request) => fetch(...request), socketClass: ownSocketClass() });
}

function createAsk(view: LiveView | null): () => Promise<void> {
  let asks = 0;
  let balance: Promise<void> = Promise.resolve();
  return async () => {
    if (asks % ASKS_PER_BALANCE === 0 && currentSession() !== null) balance = readBalance();
    asks += 1;
    // On a page that shows data, a failure to read the balance does not mean that the server is away.
    balance.catch(() => undefined);
    await (view === null ? balance : view.refresh());
  };
}

/** Reads the balance. If it has changed, a trade elsewhere may have changed the positions too. */
async function readBalance(): Promise<void> {
  const before = currentSession();
  await refreshSession();
  const after = currentSession();
  if (before?.address === after?.address && before?.balance !== after?.balance) positionsChanged(null);
}

const positionListeners: ((marketId: number | null) => void)[] = [];

/**
 * Calls back with the id of the market in which a trade or a payout has changed the wallet's positions. Null: any of
 * the positions may have changed.
 */
export function onPositionsChanged(listener: (marketId: number | null) => void): void {
  positionListeners.push(listener);
}

function positionsChanged(marketId: number | null): void {
  for (const listener of positionListeners) listener(marketId);
}

function accountEvent({ event, data }: ChannelEvent): void {
  const { balance, marketId } = data as { balance?: BalanceFigures | null; marketId?: number };
  if (balance) showFunds(balance);
  if (marketId !== undefined && (event === 'account.trade' || event === 'account.settlement'))
    positionsChanged(marketId);
}
