import { describe, expect, it } from '@jest/globals';
import type { PublishedEvent } from '../../src/domain/events';
import { lmsr } from '../../src/domain/lmsr';
import { openMarket } from '../../src/domain/market';
import { emptyPosition } from '../../src/domain/position';
import type { Market, NewTrade, Outcome } from '../../src/domain/types';
import { createTradeQueue } from '../../src/usecases/trading/trade-queue';
import { eventsOfFact } from '../../src/events/events-of-fact';
import { creatorFact, marketFact, settlementFact } from '../../src/events/facts';
import { isoTime, oppositePrice, price, usdPerShare } from '../../src/views/format';
import { marketDetailView, marketView } from '../../src/views/market';
import { positionValue, positionView } from '../../src/views/position';
import { stored } from '../events/random-facts';
import { CREATOR, createWorld, marketCommand, order, START, wallet } from './trading/support';

const rules = { pricing: lmsr, feeBasisPoints: 50n };

function market(change: Partial<Market> = {}): Market {
  const command = {
    ...marketCommand(),
    id: 12,
    slug: 'rain',
    createdAt: START,
    liquidityParameter: 100_000_000n,
  };
  return { ...openMarket(command), marketSeq: 3, ...change };
}

function resolved(outcome: Outcome): Market {
  const resolution = {
    outcome,
    resolvedAt: START + 1,
    oracleConsensus: 0.9,
    method: 'operator',
    note: null,
  } as const;
  return market({ status: 'resolved', sharesYes: 30_000_000n, pool: 16_000_000n, resolution });
}

describe('Numbers at the JSON edge', () => {
  it('have six decimals and sum to one', () => {
    expect(price(547_321)).toBe(0.547321);
    expect(oppositePrice(547_321)).toBe(0.452679);
    expect(usdPerShare(1_000_000n, 3_000_000n)).toBe(0.333333);
    expect(usdPerShare(0n, 0n)).toBe(0);
    expect(isoTime(START)).toBe('2027-01-01T00:00:00.000Z');
  });

  it('formats an instant once that comes again, also one with fractions of a millisecond', () => {
    const format = jest.spyOn(Date.prototype, 'toISOString');
    for (const instant of [START + 60_000, START + 60_000.25, -START - 0.5, -0]) {
      isoTime(instant);
      const text = new Date(instant).toISOString();
      format.mockClear();
      expect(isoTime(instant)).toBe(text);
      expect(format).not.toHaveBeenCalled();
    }
    format.mockRestore();
  });
});

describe('A market as shown', () => {
  it.each<[Outcome, number]>([
    ['YES', 1],
    ['NO', 0],
    ['VOID', 0.5],
  ])('has the price of its outcome and no liquidity once it is resolved %s', (outcome, yesPrice) => {
    const view = marketView(resolved(outcome), lmsr, START);
    expect(view).toMatchObject({ status: 'resolved', yesPrice, noPrice: 1 - yesPrice, liquidity: 0 });
  });

  it('has its resolution among its details', () => {
    const record = { ...resolved('NO'), creatorDisplayName: null };
    expect(marketDetailView(record, lmsr, START)).toMatchObject({
      resolution: { outcome: 'NO', resolvedAt: '2027-01-01T00:00:00.001Z', oracleConsensus: 0.9 },
      creator: { address: CREATOR, displayName: null },
    });
  });
});

describe('A position on a resolved market', () => {
  const held = { ...emptyPosition(12, wallet(1), 'YES', START), shares: 30_000_001n, costBasis: 16_000_000n };

  it.each<[Outcome, bigint, number]>([
    ['YES', 30_000_001n, 1],
    ['NO', 0n, 0],
    ['VOID', 15_000_000n, 0.5],
  ])('is worth its payout after %s', (outcome, value, currentPrice) => {
    expect(positionValue(held, resolved(outcome), rules)).toBe(value);
    const record = { ...held, market: { ...resolved(outcome), creatorDisplayName: null } };
    expect(positionView(record, rules)).toMatchObject({ currentPrice, currentValue: Number(value) / 1e6 });
  });
});

describe('Events', () => {
  it('of a market carry its sequence, and the outcome once there is one', () => {
    const [closing] = eventsOfFact(
      stored(marketFact('market.resolving', market({ status: 'resolving' }), START)),
    );
    expect(closing).toMatchObject({
      event: 'market.resolving',
      seq: 7,
      marketSeq: 3,
      data: { status: 'resolving' },
    });
    const [decided] = eventsOfFact(stored(marketFact('market.resolved', resolved('VOID'), START)));
    expect(decided).toMatchObject({
      event: 'market.resolved',
      data: { marketId: 12, outcome: 'VOID', oracleConsensus: 0.9, resolvedAt: '2027-01-01T00:00:00.001Z' },
    });
    expect(() => marketFact('market.resolved', market(), START)).toThrow('no resolution');
  });

  it('of a trade are four in one row, and a fifth for the creator who is paid', async () => {
    const world = await createWorld();
    await world.openMarket();
    await world.fund(wallet(1), 100);
    const { place } = createTradeQueue(world.context);
    const { view } = await place(order({ wallet: wallet(1) }));
    const events = (await world.events()).filter(({ seq }) => seq === 3);
    expect(events.map(({ event, marketSeq }) => [event, marketSeq])).toEqual([
      ['trade', 2],
      ['price', 2],
      ['account.trade', 2],
      ['account.balance', 2],
      ['account.balance', 2],
    ]);
    const { id, marketId, side, action, shares, pricePerShare, totalCost, fee, createdAt } = view;
    const figures = { id, marketId, side, action, shares, pricePerShare, totalCost, fee, createdAt };
    const prices = { yesPrice: view.yesPrice, noPrice: view.noPrice };
    const totals = {
      volume: Number((totalCost - fee).toFixed(6)),
      liquidity: Number((totalCost - fee).toFixed(6)),
    };
    const data = events.map((event) => event.data);
    expect(data[0]).toEqual({ ...figures, traderAddress: '0x4444...0001', ...prices, ...totals });
    expect(data[1]).toEqual({ marketId, ...prices, ...totals });
    expect(data[2]).toEqual({ address: wallet(1), ...figures, realizedPnl: 0 });
    const { balance } = view;
    expect(data[3]).toEqual({
      address: wallet(1),
      balance,
      reserved: 0,
      available: balance,
      reason: 'trade',
    });
    expect(data[4]).toEqual({ address: CREATOR, balance: fee, reserved: 0, available: fee, reason: 'fee' });
  });

  it('of a creator who trades on a market of their own tell of one balance', async () => {
    const world = await createWorld();
    await world.openMarket();
    await world.fund(CREATOR, 100);
    const { view } = await createTradeQueue(world.context).place(order({ wallet: CREATOR }));
    const balances = (await world.events()).filter(
      ({ event, seq }) => event === 'account.balance' && seq === 3,
    );
    expect(balances.map(({ data }) => data)).toMatchObject([{ balance: view.balance, reason: 'trade' }]);
    expect(view.balance).toBeCloseTo(100 - view.totalCost + view.fee, 6);
  });

  const payout: NewTrade = {
    type: 'settlement',
    marketId: 12,
    wallet: wallet(1),
    side: 'YES',
    action: 'sell',
    shares: 20_000_000n,
    notional: 20_000_000n,
    fee: 0n,
    totalCost: 20_000_000n,
    realizedPnl: 9_500_000n,
    yesPriceAfter: 1_000_000,
    createdAt: START,
  };

  it('of a payout tell of the settlement and of the balance', () => {
    const account = { balance: 31_000_000n, reserved: 1_000_000n };
    const events = eventsOfFact(stored(settlementFact({ trade: payout, outcome: 'YES', account })));
    const settlement = {
      marketId: 12,
      side: 'YES',
      outcome: 'YES',
      shares: 20,
      payout: 20,
      realizedPnl: 9.5,
    };
    expect(events).toMatchObject([
      { event: 'account.settlement', marketSeq: null, data: { address: wallet(1), ...settlement } },
      { event: 'account.balance', data: { balance: 31, reserved: 1, available: 30, reason: 'settlement' } },
    ]);
  });

  it('of a loss tell of no balance, which stays as it was', () => {
    const lost = { ...payout, notional: 0n, totalCost: 0n, realizedPnl: -10_500_000n };
    const account = { balance: 0n, reserved: 0n };
    const events = eventsOfFact(stored(settlementFact({ trade: lost, outcome: 'NO', account })));
    expect(events.map(({ event }) => event)).toEqual(['account.settlement']);
  });

  const creator = {
    address: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
    status: 'rejected' as const,
    displayName: null,
    statement: null,
    appliedAt: START,
    approvedAt: null,
    rejectedReason: 'No',
    updatedAt: START,
  };

  it('of a creator show the address in EIP-55', () => {
    const events: PublishedEvent[] = eventsOfFact(stored(creatorFact(creator, START)));
    expect(events).toEqual([
      {
        event: 'creator.updated',
        seq: 7,
        marketSeq: null,
        ts: '2027-01-01T00:00:00.000Z',
        data: { address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', status: 'rejected', reason: 'No' },
      },
    ]);
  });

  it('of a kind that is not known here become nothing, and none is published before it has its place', () => {
    const row = creatorFact(creator, START);
    expect(eventsOfFact({ ...stored(row), kind: 'from.the.future' })).toEqual([]);
    expect(() => eventsOfFact({ ...row, seq: null })).toThrow('number');
  });
});
