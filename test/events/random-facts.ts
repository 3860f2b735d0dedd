import fc from 'fast-check';
import type { NewFact, StoredFact } from '../../src/domain/events';
import { openMarket } from '../../src/domain/market';
import {
  CREATOR_STATUSES,
  OUTCOMES,
  SIDES,
  TRADE_ACTIONS,
  type Market,
  type Trade,
} from '../../src/domain/types';
import {
  balanceFact,
  creatorFact,
  escalatedFact,
  marketFact,
  proposedFact,
  settlementFact,
  tradeFact,
} from '../../src/events/facts';
import { marketCommand, wallet } from '../usecases/trading/support';

/** So few wallets that the trader is often the creator. */
const wallets = fc.integer({ min: 1, max: 3 }).map(wallet);
const instants = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const milliseconds = instants.map((date) => date.getTime());
const micros = (max = 1_000_000_000_000n): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max });
const ids = fc.integer({ min: 1, max: 100 });
const balances = fc
  .tuple(micros(), micros())
  .map(([reserved, available]) => ({ balance: reserved + available, reserved }));

const markets: fc.Arbitrary<Market> = fc
  .record({
    id: ids,
    creator: wallets,
    createdAt: milliseconds,
    marketSeq: ids,
    sharesYes: micros(100_000_000n),
    question: fc.string({ minLength: 1, maxLength: 200 }),
    outcome: fc.constantFrom(...OUTCOMES),
    resolvedAt: milliseconds,
    oracleConsensus: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ marketSeq, sharesYes, outcome, resolvedAt, oracleConsensus, ...opened }) => {
    const market = openMarket({
      ...marketCommand(),
      ...opened,
      slug: `market-${opened.id}`,
      liquidityParameter: 100_000_000n,
    });
    const resolution = { outcome, resolvedAt, oracleConsensus, method: 'oracle', note: null } as const;
    return { ...market, marketSeq, sharesYes, pool: sharesYes, resolution };
  });

const trades: fc.Arbitrary<Omit<Trade, 'marketId'>> = fc
  .record({
    id: ids,
    wallet: wallets,
    side: fc.constantFrom(...SIDES),
    action: fc.constantFrom(...TRADE_ACTIONS),
    shares: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
    fee: micros(1_000_000n),
    totalCost: fc.constantFrom(0n, 1n, 17_500_000n),
    realizedPnl: fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
    yesPriceAfter: fc.integer({ min: 10_000, max: 990_000 }),
    createdAt: milliseconds,
  })
  .map((trade) => ({ ...trade, type: 'trade', notional: trade.shares / 2n }));

const tradeFacts = fc.tuple(markets, trades, balances, balances).map(([market, trade, trader, creator]) =>
  tradeFact({
    market,
    trade: { ...trade, marketId: market.id },
    trader,
    creator: trade.wallet === market.creator ? null : creator,
  }),
);

const settlementFacts = fc
  .tuple(markets, trades, balances, fc.constantFrom(...OUTCOMES))
  .map(([market, trade, account, outcome]) =>
    settlementFact({ trade: { ...trade, type: 'settlement', marketId: market.id }, outcome, account }),
  );

const proposals = fc.record({
  outcome: fc.constantFrom(...SIDES),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  proposedAt: milliseconds,
  payAt: fc.option(milliseconds),
  by: fc.constant('oracle' as const),
});

const marketFacts = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('market.created' as const, 'market.resolving' as const, 'market.resolved' as const),
      markets,
      milliseconds,
    )
    .map((arguments_) => marketFact(...arguments_)),
  fc.tuple(markets, proposals).map(([market, proposal]) => proposedFact(market, proposal)),
  fc
    .tuple(markets, fc.option(fc.constantFrom(...SIDES)))
    .map(([market, proposal]) => escalatedFact(market, proposal)),
);

const creatorFacts = fc
  .record({
    address: wallets,
    status: fc.constantFrom(...CREATOR_STATUSES),
    displayName: fc.constant(null),
    statement: fc.constant(null),
    appliedAt: fc.constant(null),
    approvedAt: fc.constant(null),
    rejectedReason: fc.option(fc.string({ minLength: 1, maxLength: 100 })),
    updatedAt: milliseconds,
  })
  .chain((creator) => milliseconds.map((now) => creatorFact(creator, now)));

const balanceFacts = fc
  .tuple(wallets, balances, fc.constantFrom('deposit' as const, 'withdrawal' as const), milliseconds)
  .map((arguments_) => balanceFact(...arguments_));

export function stored(row: NewFact, seq = 7): StoredFact {
  const data = JSON.parse(JSON.stringify(row.data)) as Record<string, unknown>;
  return { ...row, data, seq };
}

export const randomFacts: fc.Arbitrary<StoredFact> = fc
  .oneof(tradeFacts, settlementFacts, marketFacts, creatorFacts, balanceFacts)
  .map((row) => stored(row));
