/** The messages that a fact becomes on its channels: at most one message on each channel. */
import type { EventMap, EventName, StoredFact } from '../domain/events';
import { checksumAddress, isoTime } from '../views/format';
import { accountChannel, marketChannel, type ChannelKey } from './channel-keys';
import {
  creatorUpdate,
  publicCreatorUpdate,
  figuresOf,
  ownSettlement,
  ownTrade,
  publicTrade,
  type BalanceFigures,
} from './event-data';
import {
  dataOf,
  type BalanceFacts,
  type BalanceReason,
  type MarketEventKind,
  type FactKind,
  type SettlementFacts,
  type TradeFacts,
} from './facts';

/**
 * The data of the messages. Messages of a wallet's trade or payout contain the balance after it. Listeners in the
 * process get this balance as a separate event.
 */
export type MessageMap = Omit<EventMap, 'account.trade' | 'account.settlement' | 'account.balance'> & {
  'account.trade': EventMap['account.trade'] & { balance: BalanceFigures };
  /** `balance` is `null` for a payout of 0 that an earlier version of the service has stored. */
  'account.settlement': EventMap['account.settlement'] & { balance: BalanceFigures | null };
  'account.balance': { address: string; reason: BalanceReason; balance: BalanceFigures };
};

/** A message on a channel. Its field `event` decides the type of its `data`. */
export type ChannelMessage = {
  [Name in EventName]: {
    channel: ChannelKey;
    event: Name;
    /** The number of the fact in its market. `null` for facts that are not counted in a market. */
    marketSeq: number | null;
    data: MessageMap[Name];
  };
}[EventName];

/**
 * The messages of a fact, each on a different channel. Messages of one fact may share their `data`. A fact of an
 * unknown kind becomes no message.
 */
export function channelMessages(fact: StoredFact): ChannelMessage[] {
  const kind = fact.kind as FactKind;
  switch (kind) {
    case 'market.created':
    case 'market.resolving':
    case 'market.proposed':
    case 'market.escalated':
    case 'market.resolved':
      return marketMessages(kind, fact);
    case 'trade':
      return tradeMessages(fact, dataOf<'trade'>(fact));
    case 'settlement':
      return [settlementMessage(dataOf<'settlement'>(fact))];
    case 'balance':
      return [balanceMessage(dataOf<'balance'>(fact), fact.marketSeq)];
    case 'creator.updated':
      return [creatorMessage(dataOf<'creator.updated'>(fact))];
    default:
      return [];
  }
}

function marketMessages(
  event: MarketEventKind | 'market.proposed' | 'market.escalated',
  fact: StoredFact,
): ChannelMessage[] {
  const { marketSeq } = fact;
  const data = dataOf<typeof event>(fact);
  // The compiler does not see that `kind` decides `event` and the type of `data` together.
  const message = (channel: ChannelKey) => ({ channel, event, marketSeq, data }) as ChannelMessage;
  return [message('markets'), message(marketChannel(data.marketId))];
}

/**
 * The messages of a trade. A creator who earned a fee on another wallet's trade also gets a message with the new
 * balance.
 */
function tradeMessages({ marketSeq, createdAt }: StoredFact, facts: TradeFacts): ChannelMessage[] {
  const at = isoTime(createdAt);
  const { wallet, price, balances } = facts;
  const trade = publicTrade(facts, at);
  const messages: ChannelMessage[] = [
    { channel: 'trades', event: 'trade', marketSeq, data: trade },
    { channel: 'prices', event: 'price', marketSeq, data: price },
    { channel: marketChannel(price.marketId), event: 'trade', marketSeq, data: trade },
  ];
  for (const balance of balances) {
    if (balance.wallet !== wallet) messages.push(balanceMessage(balance, marketSeq));
    else {
      const data = Object.assign(ownTrade(facts, at), { balance: figuresOf(balance) });
      messages.push({ channel: accountChannel(wallet), event: 'account.trade', marketSeq, data });
    }
  }
  return messages;
}

function settlementMessage(facts: SettlementFacts): ChannelMessage {
  const { wallet, balance } = facts;
  const data = { ...ownSettlement(facts), balance: balance === null ? null : figuresOf(balance) };
  return { channel: accountChannel(wallet), event: 'account.settlement', marketSeq: null, data };
}

function balanceMessage(facts: BalanceFacts, marketSeq: number | null): ChannelMessage {
  const { wallet, reason } = facts;
  const data = { address: checksumAddress(wallet), reason, balance: figuresOf(facts) };
  return { channel: accountChannel(wallet), event: 'account.balance', marketSeq, data };
}

function creatorMessage(facts: EventMap['creator.updated']): ChannelMessage {
  const channel = accountChannel(facts.address);
  return {
    channel,
    event: 'creator.updated',
    marketSeq: null,
    data: publicCreatorUpdate(creatorUpdate(facts)),
  };
}
