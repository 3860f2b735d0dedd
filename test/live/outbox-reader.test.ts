import { eventsOfFact, type AnyPublishedEvent, type StoredFact } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';

async function readOn(
  from: ReturnType<typeof memoryStorage>,
  position: number,
): Promise<{ rows: StoredFact[]; told: AnyPublishedEvent[] }> {
  const rows = await from.read((reader) => reader.events.after(position, 100));
  return { rows, told: rows.flatMap(eventsOfFact) };
}

describe('events', () => {
  let test: TestMarket;
  afterEach(() => test.close());

  it('tell one trade several times, with one seq and one marketSeq', async () => {
    test = await createTestMarket();
    const told: [event: string, seq: number, marketSeq: number | null][] = [];
    for (const name of ['trade', 'price', 'account.trade', 'account.balance'] as const)
      test.pm.events.on(name, ({ event, seq, marketSeq }) => void told.push([event, seq, marketSeq]));
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const { id } = await test.createMarket();
    await test.runJobs();
    told.length = 0;
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    await test.runJobs();
    expect(told.map(([event]) => event)).toEqual([
      'trade',
      'price',
      'account.trade',
      'account.balance',
      'account.balance',
    ]);
    expect(new Set(told.map(([, seq]) => seq)).size).toBe(1);
    expect(told.map(([, , marketSeq]) => marketSeq)).toEqual([2, 2, 2, 2, 2]);
  });

  it('that had no listener are passed over, and stay in the outbox', async () => {
    const kept = memoryStorage();
    test = await createTestMarket({ storage: kept });
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const { id } = await test.createMarket();
    await test.runJobs();
    const heard: string[] = [];
    test.pm.events.on('account.balance', ({ data }) => void heard.push(data.reason));
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    await test.runJobs();
    expect(heard).toEqual(['trade', 'fee']);

    const { rows, told } = await readOn(kept, 0);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1));
    const reasons = told.map((event) => (event.event === 'account.balance' ? event.data.reason : null));
    expect(reasons.filter((reason) => reason !== null)).toEqual(['deposit', 'trade', 'fee']);
    expect((await readOn(kept, rows.length)).rows).toEqual([]);
  });
});
