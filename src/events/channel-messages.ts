/**
 * Which message a fact is on which channel (docs/live.md). A fact is at most one message on each channel, so
 * that its `seq` alone says what a client has: a client that resumes can neither lose a message nor get one
 * twice.
 */
import type { EventMap, EventName, OutboxEvent } from '../domain/events';
import { checksumAddress, isoTime } from '../views/format';
import { accountChannel, marketChannel, type ChannelKey } from './channels';
import {
  creatorUpdate,
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
  type RowKind,
  type SettlementFacts,
  type TradeFacts,
} from './facts';

/** The balance stands in the one message of the fact, where the events of the process tell it apart. */
export type MessageMap = Omit<EventMap, 'account.trade' | 'account.settlement' | 'account.balance'> & {
  'account.trade': EventMap['account.trade'] & { balance: BalanceFigures };
  /** The balance is `null` only for losses that an earlier version has stored, without the balance. */
  'account.settlement': EventMap['account.settlement'] & { balance: BalanceFigures | null };
  'account.balance': { address: string; reason: BalanceReason; balance: BalanceFigures };
};

/** A message on a channel. Its field `event` decides the type of its `data`. */
export type ChannelMessage = {
  [Name in EventName]: {
    channel: ChannelKey;
    event: Name;
    /** Null for messages of accounts. */
    marketSeq: number | null;
    data: MessageMap[Name];
  };
}[EventName];

/**
 * The messages of a row, each on another channel. Messages of one fact may share their `data`. A row of an
 * unknown kind, written by a newer version of the service, becomes no message.
 */
export function channelMessages(row: OutboxEvent): ChannelMessage[] {
  const kind = row.kind as RowKind;
  switch (kind) {
    case 'market.created':
    case 'market.resolving':
    case 'market.proposed':
    case 'market.escalated':
    case 'market.resolved':
      return marketMessages(kind, row);
    case 'trade':
      return tradeMessages(row, dataOf<'trade'>(row));
    case 'settlement':
      return [settlementMessage(dataOf<'settlement'>(row))];
    case 'balance':
      return [balanceMessage(dataOf<'balance'>(row))];
    case 'creator.updated':
      return [creatorMessage(dataOf<'creator.updated'>(row))];
    default:
      return [];
  }
}

function marketMessages(
  event: MarketEventKind | 'market.proposed' | 'market.escalated',
  row: OutboxEvent,
): ChannelMessage[] {
  const { marketSeq } = row;
  const data = dataOf<typeof event>(row);
  // The kind of the row pairs name and data, which the compiler cannot see here.
  const message = (channel: ChannelKey) => ({ channel, event, marketSeq, data }) as ChannelMessage;
  return [message('markets'), message(marketChannel(data.marketId))];
}

/** The trader's message holds the balance. A creator who earned a fee on it is told in a message of their own. */
function tradeMessages({ marketSeq, createdAt }: OutboxEvent, facts: TradeFacts): ChannelMessage[] {
  const at = isoTime(createdAt);
  const { wallet, price, balances } = facts;
  const trade = publicTrade(facts, at);
  const messages: ChannelMessage[] = [
    { channel: 'trades', event: 'trade', marketSeq, data: trade },
    { channel: 'prices', event: 'price', marketSeq, data: price },
    { channel: marketChannel(price.marketId), event: 'trade', marketSeq, data: trade },
  ];
  for (const balance of balances) {
    if (balance.wallet !== wallet) messages.push(balanceMessage(balance));
    else {
      const data = { ...ownTrade(facts, at), balance: figuresOf(balance) };
      messages.push({ channel: accountChannel(wallet), event: 'account.trade', marketSeq: null, data });
    }
  }
  return messages;
}

function settlementMessage(facts: SettlementFacts): ChannelMessage {
  const { wallet, balance } = facts;
  const data = { ...ownSettlement(facts), balance: balance === null ? null : figuresOf(balance) };
  return { channel: accountChannel(wallet), event: 'account.settlement', marketSeq: null, data };
}

function balanceMessage(facts: BalanceFacts): ChannelMessage {
  const { wallet, reason } = facts;
  const data = { address: checksumAddress(wallet), reason, balance: figuresOf(facts) };
  return { channel: accountChannel(wallet), event: 'account.balance', marketSeq: null, data };
}

function creatorMessage(facts: EventMap['creator.updated']): ChannelMessage {
  const channel = accountChannel(facts.address);
  return { channel, event: 'creator.updated', marketSeq: null, data: creatorUpdate(facts) };
}
