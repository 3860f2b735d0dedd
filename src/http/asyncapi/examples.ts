/** Examples of commands and messages. The examples of events are what the service makes of the facts below. */
import type { EventName, NewFact } from '../../domain/events';
import { lmsr } from '../../domain/lmsr';
import { openMarket } from '../../domain/market';
import type { Market, NewTrade, Trade } from '../../domain/types';
import { channelMessages } from '../../events/channel-messages';
import { channelName } from '../../events/channel-keys';
import {
  balanceFact,
  creatorFact,
  escalatedFact,
  marketFact,
  proposedFact,
  settlementFact,
  tradeFact,
} from '../../events/facts';
import type { ClientCommand, ControlMessage, EventMessage } from '../../events/protocol';
import { checksumAddress, isoTime } from '../../views/format';
import { marketDetailView } from '../../views/market';

const OPENED = Date.parse('2027-03-01T12:00:00Z');
const DAY = 86_400_000;
const TRADER = '0x52908400098527886e0f7030069857d2e4169ee7';
const CREATOR = '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359';
const EPOCH = '8f14e45fceea167a5a36dedd4bea2543';

const opened: Market = {
  ...openMarket({
    id: 12,
    slug: 'will-it-rain-in-oslo-on-1-june',
    question: 'Will it rain in Oslo on 1 June?',
    description: null,
    resolutionCriteria: 'The weather station at Blindern measures at least 0.1 mm.',
    category: 'science',
    creator: CREATOR,
    createdAt: OPENED,
    resolveDate: OPENED + 92 * DAY,
    liquidityParameter: 100_000_000n,
  }),
  marketSeq: 1,
};

const trade: Trade = {
  id: 7,
  type: 'trade',
  marketId: 12,
  wallet: TRADER,
  side: 'YES',
  action: 'buy',
  shares: 19_512_000n,
  notional: 9_950_000n,
  fee: 50_000n,
  totalCost: 10_000_000n,
  realizedPnl: 0n,
  yesPriceAfter: 548_627,
  createdAt: OPENED + DAY,
};
const traded: Market = {
  ...opened,
  marketSeq: 2,
  volume: 9_950_000n,
  sharesYes: 19_512_000n,
  pool: 9_950_000n,
};
const payout: NewTrade = {
  ...trade,
  type: 'settlement',
  action: 'sell',
  notional: 19_512_000n,
  fee: 0n,
  totalCost: 19_512_000n,
  realizedPnl: 9_512_000n,
  createdAt: OPENED + 93 * DAY,
};
const closed: Market = { ...traded, status: 'resolving', marketSeq: 3, lastFactAt: OPENED + 92 * DAY };
const proposal = {
  outcome: 'YES',
  confidence: 0.97,
  proposedAt: OPENED + 92 * DAY,
  payAt: OPENED + 92 * DAY + 7_200_000,
} as const;
const resolved: Market = {
  ...closed,
  status: 'resolved',
  marketSeq: 5,
  resolution: {
    outcome: 'YES',
    resolvedAt: OPENED + 93 * DAY,
    oracleConsensus: 0.97,
    method: 'oracle',
    note: null,
  },
};
const balance = { balance: 90_000_000n, reserved: 0n };

/** `eventExamples` numbers the facts in this order. */
const FACTS: readonly NewFact[] = [
  creatorFact(
    {
      address: CREATOR,
      status: 'approved',
      displayName: 'Blindern',
      statement: null,
      appliedAt: OPENED - DAY,
      approvedAt: OPENED,
      rejectedReason: null,
      updatedAt: OPENED,
    },
    OPENED,
  ),
  marketFact('market.created', opened, OPENED),
  balanceFact(TRADER, { balance: 100_000_000n, reserved: 0n }, 'deposit', OPENED),
  tradeFact({ trade, market: traded, trader: balance, creator: { balance: 50_000n, reserved: 0n } }),
  marketFact('market.resolving', closed, OPENED + 92 * DAY),
  proposedFact({ ...closed, marketSeq: 4 }, proposal),
  escalatedFact({ ...closed, marketSeq: 4 }, 'YES'),
  marketFact('market.resolved', resolved, OPENED + 93 * DAY),
  settlementFact({ trade: payout, outcome: 'YES', account: { balance: 109_512_000n, reserved: 0n } }),
];

/** The example messages of the event on all its channels. */
export function eventExamples(event: EventName): EventMessage[] {
  const messages = FACTS.flatMap((row, index) => {
    const seq = index + 1;
    return channelMessages({ ...row, seq }).map(({ channel, ...message }): EventMessage => {
      const { marketSeq, data } = message;
      const ts = isoTime(row.createdAt);
      const name = channelName(channel);
      return { type: 'event', channel: name, event: message.event, seq, prev: null, marketSeq, ts, data };
    });
  });
  return messages.filter((message) => message.event === event);
}

const figures = { balance: 90, reserved: 0, available: 90 };
const market = Object.assign(
  marketDetailView({ ...traded, creatorDisplayName: 'Blindern' }, lmsr, OPENED + DAY),
  { marketSeq: traded.marketSeq },
);
const snapshot = { seq: 4, markets: [market], account: figures };

export const CONTROL_EXAMPLES: readonly ControlMessage[] = [
  { type: 'welcome', epoch: EPOCH, seq: 4, heartbeatSeconds: 20 },
  {
    type: 'authenticated',
    id: 2,
    address: checksumAddress(TRADER),
    scopes: ['markets:read', 'account:read'],
  },
  { type: 'subscribed', id: 1, channels: ['trades'], seq: 4 },
  { type: 'subscribed', id: 3, channels: ['market:12', 'account'], seq: 4, snapshot },
  {
    type: 'resync',
    id: 1,
    channels: ['trades'],
    reason: 'RETENTION',
    epoch: EPOCH,
    seq: 4,
    snapshot: { seq: 4, markets: [] },
  },
  { type: 'unsubscribed', id: 4, channels: ['trades'] },
  { type: 'heartbeat', seq: 4, ts: isoTime(OPENED + DAY) },
  { type: 'error', id: 5, code: 'MARKET_NOT_FOUND', message: 'Market not found' },
  { type: 'pong' },
];

export const COMMAND_EXAMPLES: readonly ClientCommand[] = [
  { op: 'subscribe', id: 1, channels: ['trades'], since: { epoch: EPOCH, seq: 3 } },
  { op: 'subscribe', id: 6, channels: ['prices'], conflate: true },
  { op: 'auth', id: 2, apiKey: 'pmk_…' },
  { op: 'subscribe', id: 3, channels: ['market:12', 'account'] },
  { op: 'unsubscribe', id: 4, channels: ['trades'] },
  { op: 'ping' },
];
