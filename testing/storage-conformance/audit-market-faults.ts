/**
 * Faults in markets and in rows that belong to markets. The suite puts them into correct books, one at a
 * time.
 */
import { candlesOfTrade } from '../../src/domain/candles';
import type { Transaction } from '../../src/ports/storage';
import { alice } from './audit-books';
import type { PlantedFault } from './planted-fault';
import {
  ALICE,
  address,
  CREATOR,
  HOUR,
  NOW,
  sampleCandle,
  sampleMarket,
  samplePosition,
  sampleTrade,
} from './samples';

const floorTo = (time: number, lengthMs: number): number => time - (time % lengthMs);
const NO_RISK = { creator: CREATOR, liquidityParameter: 100_000_000n, unresolved: 0, lost: 0n };
const RISK_SUBJECT = `house:${CREATOR}:100000000`;

export const MARKET_FAULTS: readonly PlantedFault[] = [
  {
    kind: 'pool',
    name: 'a pool that its entries do not explain',
    plant: (transaction, id) => changeMarket(transaction, id, { pool: 2_587_001n }),
    subject: (id) => `market:${id}`,
    stored: '2587001',
    computed: '2587000',
  },
  {
    kind: 'position',
    name: 'a position that its trades do not explain',
    plant: (transaction, id) => transaction.positions.save([samplePosition(id, { shares: 5_000_001n })]),
    subject: () => ALICE,
    stored: '5000001',
    computed: '5000000',
  },
  {
    kind: 'position',
    name: 'a position without any trade',
    plant: (transaction, id) =>
      transaction.positions.save([samplePosition(id, { wallet: address(78), shares: 4n })]),
    subject: () => address(78),
    stored: '4',
    computed: '0',
  },
  {
    kind: 'position',
    name: 'a trade that reached no position',
    plant: (transaction, id) =>
      transaction.trades.insert([sampleTrade(id, { wallet: address(79), shares: 6n })]),
    subject: () => address(79),
    stored: '0',
    computed: '6',
  },
  {
    kind: 'market',
    name: 'outstanding shares that no position has',
    plant: (transaction, id) => changeMarket(transaction, id, { sharesNo: 8n }),
    subject: (id) => `${id}`,
    stored: '8',
    computed: '0',
  },
  {
    kind: 'counter',
    name: 'a market that miscounts its trades',
    plant: (transaction, id) => changeMarket(transaction, id, { tradeCount: 2 }),
    subject: (id) => `${id}`,
    stored: '2',
    computed: '1',
  },
  {
    kind: 'counter',
    name: 'a market whose creator fees no trade has paid',
    plant: (transaction, id) => changeMarket(transaction, id, { creatorFees: 13_006n }),
    subject: (id) => `market:${id} creatorFees`,
    stored: '13006',
    computed: '13000',
  },
  {
    kind: 'candle',
    name: 'a candle with a volume that was not traded',
    plant: (transaction, id) =>
      transaction.candles.merge([
        sampleCandle(id, { volume: 1n, trades: 0, close: sampleTrade(id).yesPriceAfter }),
      ]),
    subject: (id) => `market:${id} candle 60000 ${sampleCandle(id).time} volume`,
    stored: '2587001',
    computed: '2587000',
  },
  {
    kind: 'candle',
    name: 'a trade that reached no candle',
    plant: (transaction, id) =>
      transaction.trades.insert([sampleTrade(id, { createdAt: NOW - 2 * HOUR, notional: 6n })]),
    subject: (id) => `market:${id} candle 3600000 ${floorTo(NOW - 2 * HOUR, HOUR)} volume`,
    stored: '0',
    computed: '6',
  },
  {
    kind: 'candle',
    name: 'a newest candle that does not close at the price of the newest trade',
    plant: async (transaction, id) => {
      const late = sampleTrade(id, { createdAt: NOW - 2 * HOUR, yesPriceAfter: 499_999 });
      await transaction.trades.insert([late]);
      await transaction.candles.merge(candlesOfTrade(late, sampleTrade(id).yesPriceAfter));
    },
    subject: (id) => `market:${id} candle 60000 newest`,
    stored: '512497',
    computed: '499999',
  },
  {
    kind: 'house',
    name: 'a risk of the house without a market',
    plant: (transaction) => transaction.markets.addRisk({ ...NO_RISK, unresolved: 1 }),
    subject: () => `${RISK_SUBJECT} unresolved`,
    stored: '2',
    computed: '1',
  },
  {
    kind: 'house',
    name: 'a market that no risk of the house counts',
    plant: async (transaction) => {
      const id = await transaction.markets.nextId();
      await transaction.markets.insert(sampleMarket(id, { liquidityParameter: 7n }));
    },
    subject: () => `house:${CREATOR}:7 unresolved`,
    stored: '0',
    computed: '1',
  },
  {
    kind: 'house',
    name: 'a loss of the house without a resolution',
    plant: (transaction) => transaction.markets.addRisk({ ...NO_RISK, lost: 5n }),
    subject: () => `${RISK_SUBJECT} lost`,
    stored: '5',
    computed: '0',
  },
  {
    kind: 'house',
    name: 'a resolution whose cost no risk of the house counts',
    plant: (transaction, id) =>
      transaction.postings.insert([
        {
          kind: 'resolution',
          reference: `resolution:${id}`,
          createdAt: NOW,
          entries: [
            { account: 'treasury', amount: -4n },
            { account: `market:${id}`, amount: 4n },
          ],
        },
      ]),
    subject: () => `${RISK_SUBJECT} lost`,
    stored: '0',
    computed: '4',
  },
  ...(['activityCount', 'openPositions', 'totalPositions'] as const).map((counter) => ({
    kind: 'counter' as const,
    name: `a wallet whose ${counter} is off`,
    plant: (transaction: Transaction) =>
      transaction.accounts.apply([{ id: alice, balance: 0n, [counter]: 2 }], NOW),
    subject: () => ALICE,
    stored: '3',
    computed: '1',
  })),
];

async function changeMarket(
  transaction: Transaction,
  id: number,
  change: { pool?: bigint; sharesNo?: bigint; creatorFees?: bigint; tradeCount?: number },
): Promise<void> {
  const [market] = await transaction.markets.lock([id]);
  if (market !== undefined) await transaction.markets.update([{ ...market, ...change }]);
}
