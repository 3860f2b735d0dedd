import type { EventName } from '../../domain/events';
import type { controlMessages } from '../../events/control.schema';
import { channelEvents } from '../../events/message.schema';
import type { clientCommands } from '../../schemas/live';

export const EVENT_SUMMARIES: Record<EventName, string> = {
  'market.created': 'A market was opened',
  'market.resolving': 'Trading has ended; the outcome is being found',
  'market.proposed': 'The voters agree; the outcome holds at `payAt` unless an operator decides before',
  'market.escalated': 'Only an operator decides',
  'market.resolved': 'The outcome was decided',
  trade: 'A trade was executed',
  price: 'The price after a trade',
  'account.trade': 'Your trade, with the balance after it',
  'account.balance': 'Your balance after a deposit, a withdrawal or a fee that you earned',
  'account.settlement': 'The payout of your position, with the balance after it',
  'creator.updated': 'Your creator status has changed',
};

type ControlType = keyof typeof controlMessages;
export const CONTROL_SUMMARIES: Record<ControlType, string> = {
  welcome: 'The first message of a connection',
  authenticated: 'The key is valid; `account` can be subscribed',
  subscribed: 'Messages of these channels follow',
  resync: 'What the client has missed cannot be told; its state is that of the snapshot',
  unsubscribed: 'No message of these channels follows',
  heartbeat: 'Regularly: the newest fact of all channels, which tells a quiet feed from a frozen one',
  error: 'A command was refused and has changed nothing',
  pong: 'The answer to `ping`',
};

type Op = keyof typeof clientCommands;
export const COMMANDS: Record<Op, { summary: string; answers: ControlType[] }> = {
  subscribe: {
    summary: 'Subscribe to all of these channels, or to none',
    answers: ['subscribed', 'resync', 'error'],
  },
  unsubscribe: { summary: 'End subscriptions', answers: ['unsubscribed', 'error'] },
  auth: { summary: 'Open `account` with an API key', answers: ['authenticated', 'error'] },
  ping: { summary: 'Ask for a `pong`', answers: ['pong'] },
};

export interface ChannelText {
  key: string;
  address: string;
  title: string;
  description: string;
  events: readonly EventName[];
}

const { markets, trades, prices, account } = channelEvents;
export const CHANNELS: readonly ChannelText[] = [
  {
    key: 'markets',
    address: 'markets',
    title: 'Markets',
    description: 'The life of every market.',
    events: markets,
  },
  { key: 'trades', address: 'trades', title: 'Trades', description: 'Every trade.', events: trades },
  {
    key: 'prices',
    address: 'prices',
    title: 'Prices',
    description: 'The price of a market after each trade.',
    events: prices,
  },
  {
    key: 'market',
    address: 'market:{id}',
    title: 'One market',
    description: 'What `markets` and `trades` tell of this market. `marketSeq` has no gaps here.',
    events: [...markets, ...trades],
  },
  {
    key: 'account',
    address: 'account',
    title: 'Your account',
    description: 'The wallet of the API key. Needs the scope `account:read`.',
    events: account,
  },
];
