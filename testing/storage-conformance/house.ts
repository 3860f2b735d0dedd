import type { MarketStatus } from '../../src/domain/types';
import type { CountedMarkets, Storage } from '../../src/ports/storage';
import type { Suite } from './suite';
import { addMarket, ALICE, BEYOND_DOUBLE, BOB, GREATEST, NOW, walletOf } from './samples';

async function house(storage: Storage) {
  const found = await storage.snapshot((r) => r.audit.house());
  const byName = (one: CountedMarkets): string => `${one.status} ${one.category} ${one.liquidityParameter}`;
  return { ...found, counted: found.counted.sort((a, b) => (byName(a) < byName(b) ? -1 : 1)) };
}
const NOTHING = { wallets: 0n, reserved: 0n, pools: 0n, exposure: 0n, counted: [] };

export function houseTests({ describe, test }: Suite): void {
  describe('the sums of the house', () => {
    test('are nothing in an empty storage', 'house', async ({ storage, check }) => {
      check.equal(await house(storage), NOTHING);
    });

    test(
      'add up wallets and what is reserved of them, but neither treasury nor external',
      'house',
      async ({ storage, check }) => {
        await storage.transaction((transaction) =>
          transaction.accounts.apply(
            [
              { id: walletOf(ALICE), balance: BEYOND_DOUBLE, reserved: 7n },
              { id: walletOf(BOB), balance: GREATEST - BEYOND_DOUBLE, reserved: BEYOND_DOUBLE },
              { id: 'treasury', balance: -5n },
              { id: 'external', balance: 9n },
            ],
            NOW,
          ),
        );
        check.equal(await house(storage), { ...NOTHING, wallets: GREATEST, reserved: BEYOND_DOUBLE + 7n });
      },
    );

    test(
      'add up the pools of all markets, and what is at stake on those that are not resolved',
      'house',
      async ({ storage, other, check }) => {
        const b = [100_000_000n, BEYOND_DOUBLE];
        const statuses: MarketStatus[] = ['open', 'resolving', 'resolved', 'open'];
        for (const [index, status] of statuses.entries()) {
          const liquidityParameter = b[index % 2] ?? 0n;
          await addMarket(storage, {
            status,
            liquidityParameter,
            pool: 10n ** BigInt(index),
            slug: `house-${index}`,
          });
          const exposure = status === 'resolved' ? 1_000n : BEYOND_DOUBLE;
          const total = { status, category: 'crypto', markets: 1, exposure };
          await storage.transaction((transaction) => transaction.markets.addTotals([total]));
        }
        check.equal(await house(await other()), {
          ...NOTHING,
          pools: 1_111n,
          exposure: 3n * BEYOND_DOUBLE,
          counted: [
            { status: 'open', category: 'crypto', liquidityParameter: 100_000_000n, markets: 1 },
            { status: 'open', category: 'crypto', liquidityParameter: BEYOND_DOUBLE, markets: 1 },
            { status: 'resolved', category: 'crypto', liquidityParameter: 100_000_000n, markets: 1 },
            { status: 'resolving', category: 'crypto', liquidityParameter: BEYOND_DOUBLE, markets: 1 },
          ],
        });
      },
    );
  });
}
