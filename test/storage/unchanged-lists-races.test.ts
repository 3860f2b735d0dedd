/** Those who write at the same time, over two handles, see what they have written in the next list. */
import { silentLogger } from '../../src/ports/logger';
import type { MarketListQuery } from '../../src/ports/storage';
import { NOW, sampleMarket } from '../../testing/storage-conformance/samples';
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
        // The other handle is another instance: it did not take part in the commit.
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
