/** Two instances have clocks that differ by less than a second, and the time of a market never goes back. */
import { closeMarket } from '../../src/usecases/markets/close-market';
import { getPriceHistory } from '../../src/usecases/markets/get-price-history';
import { resolveMarket } from '../../src/usecases/resolution/resolve-market';
import { createTradeQueue } from '../../src/usecases/trading/trade-queue';
import type { OperatorContext } from '../../src/usecases/context';
import type { Storage } from '../../src/ports/storage';
import { onEachStorage, type StorageHome } from '../support/storages';
import { candlesOf, createWorld, order, START, wallet, type World } from './trading/support';

const BEHIND_MS = 400;
const MINUTE = 60_000;

onEachStorage('Instances whose clocks differ', ({ create }) => {
  let home: StorageHome;
  let storage: Storage;
  let world: World;
  let behind: OperatorContext;

  beforeEach(async () => {
    home = await create();
    storage = home.handle();
    world = await createWorld({}, undefined, storage);
    behind = { ...world.context, clock: { now: () => world.context.clock.now() - BEHIND_MS } };
    await world.fund(wallet(1), 1_000);
    await world.openMarket();
  });
  afterEach(async () => {
    await storage.close();
    await home.destroy();
  });

  const trade = (context: OperatorContext, side: 'YES' | 'NO') =>
    createTradeQueue(context).place(order({ wallet: wallet(1), side }));
  const tradeTimes = async () => {
    const page = { marketId: 1, limit: 100, offset: 0 };
    const trades = await storage.read((reader) => reader.trades.listByMarket(page));
    return trades.map(({ createdAt }) => createdAt - START).reverse();
  };

  it('stamp trades in the order in which they happen, and close the newest candle at the price', async () => {
    world.advance(MINUTE);
    await trade(world.context, 'YES');
    await trade(behind, 'NO');
    expect(await tradeTimes()).toEqual([MINUTE, MINUTE]);
    const minutes = await candlesOf(storage, MINUTE);
    const page = { marketId: 1, limit: 1, offset: 0 };
    const [newest] = await storage.read((reader) => reader.trades.listByMarket(page));
    expect(minutes.map(({ time, trades }) => [time - START, trades])).toEqual([[MINUTE, 2]]);
    expect(minutes[0]?.close).toBe(newest?.yesPriceAfter);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('show the newest trade in the history, also the instance whose clock is behind', async () => {
    world.advance(MINUTE);
    await trade(world.context, 'YES');
    const command = {
      market: '1',
      interval: '1m',
      startTime: null,
      endTime: null,
      limit: 10,
    } as const;
    const { candles } = await getPriceHistory(behind, command);
    expect(candles.map(({ trades }) => trades)).toEqual([0, 1]);
  });

  it('close and resolve no market before its last fact', async () => {
    world.advance(MINUTE);
    await trade(world.context, 'YES');
    await closeMarket(behind, { market: '1' });
    await resolveMarket(behind, { market: '1', outcome: 'YES', note: null });
    const [market] = await storage.read((reader) => reader.markets.findByIds([1]));
    expect(market?.resolution?.resolvedAt).toBe(START + MINUTE);
    const rows = await storage.read((reader) => reader.events.after(0, 1_000));
    const times = rows.filter(({ marketId }) => marketId === 1).map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const history = { wallet: wallet(1), limit: 10, offset: 0 };
    const { trades } = await storage.read((reader) => reader.trades.listByWallet(history));
    expect(trades.map(({ type, createdAt }) => [type, createdAt - START])).toEqual([
      ['settlement', MINUTE],
      ['trade', MINUTE],
    ]);
  });
});
