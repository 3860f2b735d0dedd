/** The messages of facts as clients get them, and one control message of each kind. */
import type { OutboxEvent } from '../../src/domain/events';
import { channelMessages } from '../../src/events/channel-messages';
import { channelName } from '../../src/events/channels';
import type { ControlMessage, EventMessage } from '../../src/events/protocol';
import { isoTime } from '../../src/views/format';
import { wallet } from '../usecases/trading/support';
import { checksumAddress } from '../../src/crypto/address';

export function sentMessages(row: OutboxEvent, prev: number | null = null): EventMessage[] {
  return channelMessages(row).map(({ channel, event, marketSeq, data }) => {
    const ts = isoTime(row.createdAt);
    const message = { channel: channelName(channel), event, seq: row.seq ?? 0, prev, marketSeq, ts, data };
    return { type: 'event', ...message };
  });
}

const epoch = '8f14e45fceea167a5a36dedd4bea2543';
const figures = { balance: 31, reserved: 1, available: 30 };
const market = {
  id: 12,
  tickerId: 'PM-0012',
  slug: 'rain',
  question: 'Will it rain?',
  category: 'science',
  status: 'open',
  yesPrice: 0.5,
  noPrice: 0.5,
  volume: 0,
  liquidity: 0,
  resolveDate: '2027-06-01T00:00:00.000Z',
  createdAt: '2027-01-01T00:00:00.000Z',
  description: null,
  resolutionCriteria: 'The gauge of the station',
  creator: { address: checksumAddress(wallet(1)), displayName: null },
  resolution: null,
  marketSeq: 1,
} as const;
const snapshot = { seq: 17, markets: [market], account: figures };

export const CONTROL_MESSAGES: readonly ControlMessage[] = [
  { type: 'welcome', epoch, seq: 17, heartbeatSeconds: 20 },
  { type: 'authenticated', id: 'a', address: checksumAddress(wallet(1)), scopes: ['account:read'] },
  { type: 'subscribed', id: 1, channels: ['trades'], seq: 17 },
  { type: 'subscribed', id: null, channels: ['market:12', 'account'], seq: 17, snapshot },
  { type: 'resync', id: 1, channels: ['prices'], reason: 'EPOCH', epoch, seq: 17, snapshot },
  { type: 'unsubscribed', id: 2, channels: ['trades'] },
  { type: 'heartbeat', seq: 17, ts: '2027-01-01T00:00:00.000Z' },
  { type: 'error', id: 3, code: 'MARKET_NOT_FOUND', message: 'There is no such market' },
  { type: 'pong' },
];
