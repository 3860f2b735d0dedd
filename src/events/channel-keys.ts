/** The keys and the names of the channels on which clients get the messages of facts (docs/live.md). */
import type { Address } from '../domain/types';

const MARKET_PREFIX = 'market:';
const ACCOUNT_PREFIX = 'account:';

/** The names of the channels of single markets, as a part of a regular expression. */
export const MARKET_CHANNELS = `${MARKET_PREFIX}[1-9][0-9]{0,14}`;

export type MarketChannel = `${typeof MARKET_PREFIX}${number}`;
/** The channel of a wallet, with the address in lower case. Clients see it as `account`. */
export type AccountChannel = `${typeof ACCOUNT_PREFIX}${Address}`;
export type ChannelKey = 'markets' | 'trades' | 'prices' | MarketChannel | AccountChannel;

export const marketChannel = (marketId: number): MarketChannel => `${MARKET_PREFIX}${marketId}`;
export const accountChannel = (wallet: Address): AccountChannel => `${ACCOUNT_PREFIX}${wallet}`;

/**
 * The name of a channel in messages. The channel of an account is called `account`, without the address, because only
 * the wallet of the account gets its messages.
 */
export function channelName(channel: ChannelKey): string {
  return isAccountChannel(channel) ? 'account' : channel;
}

export function isAccountChannel(channel: string): boolean {
  return channel.startsWith(ACCOUNT_PREFIX);
}

/** At most 15 digits, so that every id is a safe integer. */
const MARKET_ID = /^[1-9][0-9]{0,14}$/;

/** The id of the market whose channel this is. `null` for other channels, and for ids in another spelling. */
export function marketOfChannel(channel: string): number | null {
  const id = channel.startsWith(MARKET_PREFIX) ? channel.slice(MARKET_PREFIX.length) : '';
  return MARKET_ID.test(id) ? Number(id) : null;
}
