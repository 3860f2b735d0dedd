import type { StoredFact } from '../../src/domain/events';
import type { Storage } from '../../src/ports/storage';
import { atOnce, rolledBack, untilNone, type Suite } from './suite';
import { addMarket, NOW, sampleEvent } from './samples';
import { readEvents, relay } from './relay';

/** Appends facts of a market as use cases do: `marketSeq` comes from the market's row, under its lock. */
async function appendMarketEvents(storage: Storage, marketId: number, count: number): Promise<void> {
  await storage.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([marketId]);
    if (market === undefined) throw new Error('the market is gone');
    const numbers = Array.from({ length: count }, (_, index) => market.marketSeq + index + 1);
    await transaction.markets.update([{ ...market, marketSeq: market.marketSeq + count }]);
    await transaction.events.append(
      numbers.map((marketSeq) => sampleEvent({ kind: 'trade', marketId, marketSeq, data: { marketSeq } })),
    );
  });
}

const numbersOf = (events: readonly StoredFact[]): (number | null)[] => events.map(({ seq }) => seq);
const consecutive = (events: readonly StoredFact[]): number[] =>
  events.map((_, index) => Number(events[0]?.seq) + index);

export function eventTests(suite: Suite): void {
  suite.describe('events', () => {
    appendedEventTests(suite);
    readEventTests(suite);
    concurrentEventTests(suite);
    removedEventTests(suite);
  });
}

function appendedEventTests({ test }: Suite): void {
  test(
    'come back as they were appended, numbered without a gap',
    ['sequence', 'head', 'whole', 'sequenceCount'],
    async ({ storage, check }) => {
      check.by('head').equal(await storage.read((r) => r.events.head()), 0, 'head at first');
      check.equal(await storage.read((r) => r.events.after(0, 10)), [], 'none at first');
      const market = await addMarket(storage);
      const events = [
        sampleEvent({
          data: {
            text: 'ein „Text“ 文字 🎲 \n',
            list: [1, -0.5, null, true, { deep: [] }],
            amount: '9007199254740993',
          },
        }),
        sampleEvent({ kind: 'trade', marketId: market.id, marketSeq: 1, createdAt: NOW - 5, data: {} }),
        sampleEvent({ kind: 'trade', marketId: market.id, marketSeq: 2 }),
      ];
      await storage.transaction((transaction) => transaction.events.append(events));
      await relay(storage);
      const found = await readEvents(storage);
      check.equal(
        found.map(({ seq, ...event }) => [typeof seq, event]),
        events.map((event) => ['number', event]),
      );
      check.equal(numbersOf(found), consecutive(found), 'numbers');
      check.equal(await storage.read((r) => r.events.head()), found.at(-1)?.seq, 'head');
      const rest = await storage.transaction((transaction) => transaction.events.sequence(3));
      check.by('sequenceCount').equal(rest, 0, 'numbered when none is left');
    },
  );

  test('are numbered by the call that the storage names', 'eventNumbering', async ({ storage, check }) => {
    await storage.transaction((transaction) => transaction.events.append([sampleEvent()]));
    const numbered = (await readEvents(storage)).length === 1;
    check.equal(storage.eventNumbering, numbered ? 'append' : 'relay');
  });
}

function readEventTests({ test }: Suite): void {
  test('are read from a number on, at most the limit', 'eventsAfter', async ({ storage, check }) => {
    await storage.transaction((transaction) =>
      transaction.events.append(Array.from({ length: 6 }, () => sampleEvent())),
    );
    await relay(storage);
    const all = numbersOf(await storage.read((r) => r.events.after(0, 100)));
    const after = async (seq: number | null | undefined, limit: number) =>
      numbersOf(await storage.read((r) => r.events.after(seq ?? 0, limit)));
    check.equal(all.length, 6);
    check.equal(await after(all[1], 3), all.slice(2, 5), 'a page');
    check.equal(await after(all[3], 100), all.slice(4), 'the rest');
    check.equal(await after(all[5], 100), [], 'after the newest');
  });

  test('that were rolled back leave no gap', 'sequence', async ({ storage, check }) => {
    for (let round = 0; round < 3; round += 1) {
      await storage.transaction((transaction) =>
        transaction.events.append([sampleEvent({ kind: `kept ${round}` })]),
      );
      await rolledBack(storage, (transaction) =>
        transaction.events.append([sampleEvent({ kind: 'lost' }), sampleEvent({ kind: 'lost' })]),
      );
      await relay(storage);
    }
    const found = await readEvents(storage);
    check.equal(
      found.map(({ kind }) => kind),
      ['kept 0', 'kept 1', 'kept 2'],
    );
    check.equal(numbersOf(found), consecutive(found));
  });
}

function concurrentEventTests({ test }: Suite): void {
  test(
    'appended by many at once are numbered once each, in the order of each market',
    'sequence',
    async ({ storage, other, check }) => {
      const second = await other();
      const markets = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
      await atOnce(18, [storage, second], async (handle, index) => {
        await appendMarketEvents(handle, markets[index % 3]?.id ?? 0, 1 + (index % 2));
        if (index % 6 === 0) await relay(handle, `relay ${index}`);
      });
      await relay(storage);
      const found = await readEvents(second);
      check.equal(found.length, 27);
      check.equal(numbersOf(found), consecutive(found), 'numbers');
      for (const { id } of markets) {
        const own = found.filter(({ marketId }) => marketId === id).map(({ marketSeq }) => marketSeq);
        check.equal(
          own,
          own.map((_, index) => index + 1),
          'order of a market',
        );
      }
    },
  );

  test(
    'never get a number below one that a reader has read',
    'sequence',
    async ({ storage, other, check }) => {
      const second = await other();
      const { id } = await addMarket(storage);
      const seen: StoredFact[] = [];
      const follow = async (): Promise<void> => {
        seen.push(...(await second.read((r) => r.events.after(seen.at(-1)?.seq ?? 0, 5))));
      };
      let writing = true;
      const writers = atOnce(12, [storage, second], async (handle, index) => {
        await appendMarketEvents(handle, id, 1);
        if (index % 3 === 0) await relay(handle, `relay ${index}`);
      }).finally(() => {
        writing = false;
      });
      const newest = (): number => seen.at(-1)?.seq ?? 0;
      // The reader follows while there are writers. Afterwards it reads the rest to the end, page by page.
      while (writing) await follow();
      await writers;
      await relay(storage);
      await untilNone(async () => {
        const before = newest();
        await follow();
        return newest() > before;
      });
      check.equal(
        seen.map(({ marketSeq }) => marketSeq),
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
      check.equal(numbersOf(seen), consecutive(seen), 'numbers');
    },
  );
}

function removedEventTests({ test }: Suite): void {
  test(
    'are removed by age, at most the limit, but never the newest',
    ['deleteEvents', 'deletedCount'],
    async ({ storage, check }) => {
      const ages = [NOW - 4, NOW - 3, NOW - 2, NOW - 1, NOW, NOW - 9];
      await storage.transaction((transaction) =>
        transaction.events.append(ages.map((createdAt) => sampleEvent({ createdAt }))),
      );
      await relay(storage);
      const head = await storage.read((r) => r.events.head());
      const remove = (limit: number) =>
        storage.transaction((transaction) => transaction.events.deleteBefore(NOW, limit));
      check.equal([await remove(3), await remove(3), await remove(3)], [3, 1, 0], 'removed');
      const left = await readEvents(storage);
      check.equal(
        left.map(({ createdAt }) => createdAt),
        [NOW, NOW - 9],
        'left',
      );
      check.equal(await storage.read((r) => r.events.head()), head, 'head');
      await storage.transaction((transaction) => transaction.events.append([sampleEvent()]));
      await relay(storage);
      check.equal((await readEvents(storage)).at(-1)?.seq, head + 1, 'the next number');
    },
  );

  test(
    'are kept above a number, however old they are',
    ['deleteUpTo', 'deletedCount'],
    async ({ storage, check }) => {
      const ages = [NOW - 4, NOW - 6, NOW - 5, NOW - 3, NOW];
      for (const createdAt of ages)
        await storage.transaction((transaction) => transaction.events.append([sampleEvent({ createdAt })]));
      await relay(storage);
      const all = await readEvents(storage);
      const upTo = all[1]?.seq ?? 0;
      const remove = (limit: number) =>
        storage.transaction((transaction) => transaction.events.deleteBefore(NOW, limit, upTo));
      check.equal([await remove(1), await remove(10), await remove(10)], [1, 1, 0], 'removed');
      check.equal(await readEvents(storage), all.slice(2), 'left');
    },
  );

  test(
    'are read past a hole that removing by age has left, however wide',
    ['eventHole', 'eventsAfter'],
    async ({ storage, check }) => {
      const ages = [NOW, ...Array.from({ length: 300 }, (_, index) => NOW - 1 - (index % 3)), NOW];
      for (const createdAt of ages.slice(0, 2).concat(ages.slice(-1)))
        await storage.transaction((transaction) => transaction.events.append([sampleEvent({ createdAt })]));
      await storage.transaction((transaction) =>
        transaction.events.append(ages.map((createdAt) => sampleEvent({ createdAt }))),
      );
      await relay(storage);
      const all = await readEvents(storage);
      await storage.transaction((transaction) => transaction.events.deleteBefore(NOW, 1_000));
      const left = numbersOf(await readEvents(storage));
      check.equal(left, numbersOf(all.filter(({ createdAt }) => createdAt >= NOW)), 'left');
      for (const from of [0, ...left.slice(0, -1)]) {
        const [next] = numbersOf(await storage.read((r) => r.events.after(from ?? 0, 1)));
        check.equal(
          next,
          left.find((seq) => (seq ?? 0) > (from ?? 0)),
          `the first one after ${from}`,
        );
      }
    },
  );

  test('are not removed before they have a number', 'deleteEvents', async ({ storage, check }) => {
    await storage.transaction((transaction) =>
      transaction.events.append([sampleEvent({ kind: 'first' }), sampleEvent({ kind: 'second' })]),
    );
    const numbered = (await storage.read((r) => r.events.head())) > 0;
    const removed = await storage.transaction((transaction) => transaction.events.deleteBefore(NOW + 1, 10));
    await relay(storage);
    const kinds = (await readEvents(storage)).map(({ kind }) => kind);
    // If `append` numbers facts, the newest fact is kept, and facts that were appended with it may stay.
    // Otherwise no relay has numbered these facts yet, so all of them stay.
    if (numbered && removed > 0) check.equal([removed, kinds], [1, ['second']]);
    else check.equal([removed, kinds], [0, ['first', 'second']]);
  });
}
