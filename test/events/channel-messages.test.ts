import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AnyPublishedEvent, StoredFact } from '../../src/domain/events';
import { checksumAddress } from '../../src/crypto/address';
import { channelMessages, type ChannelMessage } from '../../src/events/channel-messages';
import { channelName } from '../../src/events/channel-keys';
import { eventsOfFact } from '../../src/events/events-of-fact';
import { settlementFact, tradeFact, balanceFact, marketFact } from '../../src/events/facts';
import { openMarket } from '../../src/domain/market';
import type { NewTrade, Trade } from '../../src/domain/types';
import { CREATOR, marketCommand, START, wallet } from '../usecases/trading/support';
import { randomFacts, stored } from './random-facts';

const trade: Trade = {
  id: 5,
  type: 'trade',
  marketId: 12,
  wallet: wallet(1),
  side: 'YES',
  action: 'buy',
  shares: 20_000_000n,
  notional: 10_000_000n,
  fee: 50_000n,
  totalCost: 10_050_000n,
  realizedPnl: 0n,
  yesPriceAfter: 549_834,
  createdAt: START,
};

const command = {
  ...marketCommand(),
  id: 12,
  slug: 'rain',
  createdAt: START,
  liquidityParameter: 100_000_000n,
};
const market = { ...openMarket({ ...command, creator: CREATOR }), marketSeq: 3 };
const balance = { balance: 31_000_000n, reserved: 1_000_000n };
const figures = { balance: 31, reserved: 1, available: 30 };

const tradeRow = stored(
  tradeFact({ trade, market, trader: balance, creator: { balance: 50_000n, reserved: 0n } }),
);
const loss: NewTrade = { ...trade, type: 'settlement', action: 'sell', totalCost: 0n, fee: 0n };
const lossRow = stored(settlementFact({ trade: loss, outcome: 'NO', account: balance }));

function told(row: StoredFact): unknown[] {
  return channelMessages(row).map(({ channel, event, marketSeq }) => [channel, event, marketSeq]);
}

describe('The messages of a fact', () => {
  it('of a trade: one on each channel that it concerns, the creator who earns the fee included', () => {
    expect(told(tradeRow)).toEqual([
      ['trades', 'trade', 3],
      ['prices', 'price', 3],
      ['market:12', 'trade', 3],
      [`account:${wallet(1)}`, 'account.trade', 3],
      [`account:${CREATOR}`, 'account.balance', 3],
    ]);
    const [publicTrade, price, , own, fee] = channelMessages(tradeRow).map(({ data }) => data);
    const traderAddress = `${checksumAddress(wallet(1)).slice(0, 6)}...${wallet(1).slice(-4)}`;
    expect(publicTrade).toMatchObject({ id: 5, marketId: 12, yesPrice: 0.549834, traderAddress });
    expect(price).toEqual({ marketId: 12, yesPrice: 0.549834, noPrice: 0.450166, volume: 0, liquidity: 0 });
    expect(own).toMatchObject({ address: checksumAddress(wallet(1)), id: 5, balance: figures });
    expect(fee).toEqual({
      address: checksumAddress(CREATOR),
      reason: 'fee',
      balance: { balance: 0.05, reserved: 0, available: 0.05 },
    });
  });

  it('of a trade by the creator of the market: none beside the one of the trade tells of the fee', () => {
    const row = tradeFact({ trade: { ...trade, wallet: CREATOR }, market, trader: balance, creator: null });
    expect(told(stored(row)).slice(3)).toEqual([[`account:${CREATOR}`, 'account.trade', 3]]);
  });

  it('of a market: on `markets` and on its own channel', () => {
    expect(told(stored(marketFact('market.created', market, START)))).toEqual([
      ['markets', 'market.created', 3],
      ['market:12', 'market.created', 3],
    ]);
  });

  it('of a payout of 0: with the balance, which the event of the process does not tell again', () => {
    expect(channelMessages(lossRow)).toMatchObject([
      { channel: `account:${wallet(1)}`, event: 'account.settlement', data: { payout: 0, balance: figures } },
    ]);
    expect(eventsOfFact(lossRow).map(({ event }) => event)).toEqual(['account.settlement']);
  });

  it('of a payout of 0 that an earlier version stored without the balance: the balance is not known', () => {
    const row = { ...lossRow, data: { ...lossRow.data, balance: null } };
    expect(channelMessages(row)).toMatchObject([{ event: 'account.settlement', data: { balance: null } }]);
    expect(eventsOfFact(row).map(({ event }) => event)).toEqual(['account.settlement']);
  });

  it('of a deposit: the balance is an object of its own', () => {
    expect(channelMessages(stored(balanceFact(wallet(2), balance, 'deposit', START)))).toEqual([
      {
        channel: `account:${wallet(2)}`,
        event: 'account.balance',
        marketSeq: null,
        data: { address: checksumAddress(wallet(2)), reason: 'deposit', balance: figures },
      },
    ]);
  });

  it('of a kind that a newer version has written: none', () => {
    expect(channelMessages({ ...tradeRow, kind: 'from.the.future' })).toEqual([]);
  });

  it('names no wallet in the public name of a channel', () => {
    const names = channelMessages(tradeRow).map(({ channel }) => channelName(channel));
    expect(names).toEqual(['trades', 'prices', 'market:12', 'account', 'account']);
  });
});

describe('Of random facts,', () => {
  it('each tells a channel one message, and the channels are those that it concerns', () => {
    fc.assert(
      fc.property(randomFacts, (row) => {
        const messages = channelMessages(row);
        const channels = messages.map(({ channel }) => channel);
        expect(new Set(channels).size).toBe(channels.length);
        expect(new Set(channels)).toEqual(channelsConcerned(row));
      }),
    );
  });

  it('the messages say what the events of the process say, and nothing else', () => {
    fc.assert(
      fc.property(randomFacts, (row) => {
        const fromEvents = eventsOfFact(row).flatMap(expectedOf);
        const fromMessages = channelMessages(row).flatMap(statementsOf);
        expect(sorted(fromMessages)).toEqual(sorted(fromEvents));
      }),
    );
  });
});

function channelsConcerned(row: StoredFact): Set<string> {
  const concerned = new Set<string>();
  for (const { event, data } of eventsOfFact(row)) {
    if ('address' in data) concerned.add(`account:${data.address.toLowerCase()}`);
    else if (event === 'price') concerned.add('prices');
    else concerned.add(event === 'trade' ? 'trades' : 'markets').add(`market:${data.marketId}`);
  }
  return concerned;
}

function expectedOf({ event, marketSeq, data }: AnyPublishedEvent): unknown[] {
  if (event === 'creator.updated') {
    // The creator may read the reason of a rejection, and no other reason.
    const told = { ...data, reason: data.status === 'rejected' ? data.reason : null };
    return [[`account:${data.address.toLowerCase()}`, event, marketSeq, told]];
  }
  if ('address' in data) return [[`account:${data.address.toLowerCase()}`, event, marketSeq, data]];
  if (event === 'price') return [['prices', event, marketSeq, data]];
  const everywhere = event === 'trade' ? 'trades' : 'markets';
  return [everywhere, `market:${data.marketId}`].map((channel) => [channel, event, marketSeq, data]);
}

/** In the process a trade and the new balance are two events. On a channel they are one message. */
function statementsOf({ channel, event, marketSeq, data }: ChannelMessage): unknown[] {
  if (event === 'account.balance') {
    const { address, reason, balance: after } = data;
    return [[channel, event, marketSeq, { address, reason, ...after }]];
  }
  if (event !== 'account.trade' && event !== 'account.settlement') return [[channel, event, marketSeq, data]];
  const { balance: after, ...rest } = data;
  const settled = event === 'account.settlement';
  const told = [[channel, event, marketSeq, rest]];
  if (settled && data.payout === 0) return told;
  const reason = settled ? 'settlement' : 'trade';
  return [...told, [channel, 'account.balance', marketSeq, { address: data.address, ...after, reason }]];
}

function sorted(statements: unknown[]): string[] {
  return statements.map((statement) => JSON.stringify(statement, keysInOrder)).sort();
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
