import { memoryStorage, type RowStore } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import { createTestMarket } from '../../testing';

type Row = readonly [string, string];

const storeOf = (rows: Map<string, string>, inOrder: (rows: Row[]) => Row[] = (all) => all): RowStore => ({
  load: async () => new Map(inOrder([...rows])),
  async write(changes) {
    for (const [key, row] of changes) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
  },
  close: async () => undefined,
});

/** 24 trades, so that the ids of trades have one and two digits. */
async function tradedRows(): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  const market = await createTestMarket({ storage: memoryStorage({ store: storeOf(rows) }) });
  const { id } = await market.createMarket();
  const trader = market.wallet('trader');
  await market.fund(trader, 500);
  for (let index = 0; index < 24; index += 1) {
    market.clock.advance(150_000);
    const side = index % 3 === 0 ? 'NO' : 'YES';
    await market.pm.placeTrade({ wallet: trader.address, market: id, side, amount: 5 + index });
  }
  await market.close();
  return rows;
}

const ORDERS: Readonly<Record<string, (rows: Row[]) => Row[]>> = {
  'by key': (rows) => rows.toSorted(([one], [other]) => (one < other ? -1 : 1)),
  'newest first': (rows) => rows.toReversed(),
};

it.each(Object.keys(ORDERS))('rows that are loaded %s agree with their audit', async (name) => {
  const storage = memoryStorage({ store: storeOf(await tradedRows(), ORDERS[name]) });
  await storage.open({ logger: silentLogger });
  const { differences } = await storage.snapshot((reader) => reader.audit.run());
  expect(differences).toEqual([]);
  await storage.close();
});
