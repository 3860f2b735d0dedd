import fc from 'fast-check';
import { unchangedLists } from '../../adapters/shared/sql/unchanged-lists';
import { silentLogger } from '../../src/ports/logger';
import type { MarketListQuery } from '../../src/ports/storage';
import { NOW, recordOf, sampleMarket } from '../../testing/storage-conformance/samples';
import { onEachStorage } from '../support/storages';

const WRITERS = 6;
const TURNS = 15;
const query: MarketListQuery = { sort: 'created_desc', limit: 20, offset: 0, now: NOW };

onEachStorage('lists of many writers', (ground) => {
  it('hold what each of them has written, also beside lists that others keep', async () => {
    const home = await ground.create();
    const first = home.handle();
    const second = ground.name === 'memory' ? first : home.handle();
    const handles = [...new Set([first, second])];
    for (const handle of handles) await handle.open({ logger: silentLogger });
    const stale: string[] = [];

    async function write(writer: number): Promise<void> {
      const storage = writer % 2 === 0 ? first : second;
      let market = sampleMarket(0);
      await storage.transaction(async ({ markets }) => {
        const id = await markets.nextId();
        market = sampleMarket(id);
        await markets.insert(market);
        await markets.addTotals([{ status: 'open', category: 'crypto', markets: 1, exposure: 0n }]);
      });
      for (let turn = 1; turn <= TURNS; turn += 1) {
        market = { ...market, volume: BigInt(turn), marketSeq: turn };
        await storage.transaction(async ({ markets }) => {
          await markets.lock([market.id]);
          await markets.update([market]);
        });
        // The other handle stands for another instance, which took no part in the commit.
        const reading = turn % 3 === 0 ? storage : storage === first ? second : first;
        for (let time = 0; time < 3; time += 1) {
          const { markets } = await reading.read((reader) =>
            reader.markets.list({ ...query, limit: 20 - (turn % 2) }),
          );
          const seen = markets.find(({ id }) => id === market.id)?.volume;
          if (seen !== market.volume)
            stale.push(`writer ${writer}: wrote ${market.volume}, read ${String(seen)}`);
        }
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    for (const handle of handles) await handle.close();
    await home.destroy();
    expect(stale).toEqual([]);
  });
});

it('no list is older than its request, in any order of statements, answers and commits', async () => {
  const step = fc.oneof(
    fc.constant('commit' as const),
    fc.constantFrom('go on' as const, 'go on' as const, 'wait for all' as const),
    fc.record({ offset: fc.nat({ max: 2 }), at: fc.nat({ max: 3 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 4, maxLength: 25 }),
      async (turns, steps) => {
        let commits = 0;
        const due = 2;
        const statement = async <T>(answer: () => T): Promise<T> => {
          await turns.schedule(Promise.resolve());
          const made = answer();
          await turns.schedule(Promise.resolve());
          return made;
        };
        const list = unchangedLists({
          version: () => statement(() => String(commits)),
          nextDue: (now) => statement(() => (now < due ? due : null)),
          // Two statements, as in the adapter: the number of markets, and then the page.
          list: async ({ now, offset }) => {
            const total = await statement(() => commits);
            const status = now < due ? 'open' : 'resolving';
            const volume = await statement(() => BigInt(commits));
            return { markets: [recordOf(sampleMarket(offset, { volume, status }))], total };
          },
        });
        const read = async ({ offset, at }: { offset: number; at: number }): Promise<void> => {
          const before = commits;
          const { markets, total } = await list({ ...query, offset, now: at });
          const [market] = markets;
          expect(market?.id).toBe(offset);
          expect(market?.status).toBe(at < due ? 'open' : 'resolving');
          expect(Number(market?.volume)).toBeGreaterThanOrEqual(before);
          expect(total).toBeGreaterThanOrEqual(before);
          expect(Number(market?.volume)).toBeLessThanOrEqual(commits);
        };
        const reads: Promise<void>[] = [];
        for (const one of steps) {
          if (one === 'commit') commits += 1;
          else if (one === 'wait for all') await turns.waitFor(Promise.all(reads));
          else if (one === 'go on') {
            if (turns.count() > 0) await turns.waitOne();
          } else reads.push(read(one));
        }
        await turns.waitFor(Promise.all(reads));
      },
    ),
    { numRuns: 600 },
  );
});
