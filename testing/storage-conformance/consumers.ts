import type { Consumer, ParkedFact } from '../../src/domain/consumers';
import type { Storage, Transaction } from '../../src/ports/storage';
import { atOnce, type Suite } from './suite';
import { sampleConsumer, sampleParkedFact } from './consumer-samples';
import { NOW, sampleEvent } from './samples';

const write = <T>(storage: Storage, work: (rows: Transaction['consumers']) => Promise<T>): Promise<T> =>
  storage.transaction((transaction) => work(transaction.consumers));
const insert = (storage: Storage, consumer: Consumer): Promise<boolean> =>
  write(storage, (rows) => rows.insert(consumer));
const park = (storage: Storage, ...facts: readonly ParkedFact[]): Promise<void> =>
  write(storage, async (rows) => {
    for (const fact of facts) await rows.park(fact);
  });
const parkedOf = (storage: Storage, consumer: string, limit = 100) =>
  storage.read((r) => r.consumers.listParked({ consumer, limit, offset: 0 }));

export function consumerTests(suite: Suite): void {
  suite.describe('consumers', () => {
    rowTests(suite);
    lockTests(suite);
    parkedTests(suite);
  });
}

function rowTests({ test }: Suite): void {
  test(
    'are kept whole, one a name, and changed',
    ['consumerTaken', 'updateConsumer', 'whole'],
    async ({ storage, check }) => {
      const find = () => storage.read((r) => r.consumers.find('books'));
      check.equal(await find(), null, 'before');
      check.equal(await insert(storage, sampleConsumer('books')), true, 'inserted');
      check.equal(await find(), sampleConsumer('books'), 'as inserted');
      check.equal(await insert(storage, sampleConsumer('books', { seq: 1 })), false, 'a taken name');
      check.equal(await find(), sampleConsumer('books'), 'after the refusal');
      const changed = sampleConsumer('books', {
        epoch: 'epoch-2',
        seq: 9_007_199_254_740_991,
        token: 5,
        owner: null,
        ownedUntil: 0,
        failures: 3,
        lastError: 'ein „Text“ 文字 🎲',
        updatedAt: NOW + 1,
      });
      await write(storage, (rows) => rows.update({ ...changed, createdAt: NOW + 9 }));
      check.equal(await find(), changed, 'changed');
      await check.rejects(
        write(storage, (rows) => rows.update(sampleConsumer('unknown'))),
        'an unknown name',
      );
    },
  );

  test(
    'are listed by name, with the number of their parked facts',
    'consumerList',
    async ({ storage, check }) => {
      for (const name of ['mail', 'books', 'a-b', 'a.b', 'ab']) await insert(storage, sampleConsumer(name));
      await park(
        storage,
        sampleParkedFact('mail'),
        sampleParkedFact('mail', { seq: 8 }),
        sampleParkedFact('ab'),
      );
      const listed = await storage.read((r) => r.consumers.list());
      check.equal(
        listed.map(({ name, parked }) => [name, parked]),
        [
          ['a-b', 0],
          ['a.b', 0],
          ['ab', 1],
          ['books', 0],
          ['mail', 2],
        ],
      );
      check.equal(listed[0], { ...sampleConsumer('a-b'), parked: 0 }, 'a whole row');
    },
  );

  test(
    'go with their parked facts, and only theirs',
    ['removeConsumer', 'removedConsumer'],
    async ({ storage, check }) => {
      for (const name of ['books', 'mail']) {
        await insert(storage, sampleConsumer(name));
        await park(storage, sampleParkedFact(name));
      }
      const remove = () => write(storage, (rows) => rows.remove('books'));
      check.equal([await remove(), await remove()], [true, false], 'removed');
      const left = await storage.read((r) => r.consumers.list());
      check.equal(
        left.map(({ name, parked }) => [name, parked]),
        [['mail', 1]],
        'left',
      );
      await insert(storage, sampleConsumer('books'));
      check.equal((await parkedOf(storage, 'books')).total, 0, 'parked facts of a later one of that name');
    },
  );
}

function lockTests({ test }: Suite): void {
  test(
    'are changed one after the other by many who lock them',
    ['held', 'serial'],
    async ({ storage, other, check }) => {
      await insert(storage, sampleConsumer('books', { seq: 0 }));
      await atOnce(12, [storage, await other()], (handle) =>
        write(handle, async (rows) => {
          const consumer = await rows.lock('books');
          if (consumer === null) throw new Error('the consumer is gone');
          await rows.update({ ...consumer, seq: consumer.seq + 1 });
        }),
      );
      check.equal((await storage.read((r) => r.consumers.find('books')))?.seq, 12);
      check.equal(await write(storage, (rows) => rows.lock('unknown')), null, 'an unknown name');
    },
  );

  test('get a name once of many at once', 'consumerTaken', async ({ storage, other, check }) => {
    const results = await atOnce(8, [storage, await other()], (handle, index) =>
      insert(handle, sampleConsumer('books', { seq: index })),
    );
    check.equal(results.filter((inserted) => inserted).length, 1, 'insertions');
    const found = await storage.read((r) => r.consumers.find('books'));
    check.equal(found?.seq, results.indexOf(true), 'the row of the one that was inserted');
  });
}

function parkedTests({ test }: Suite): void {
  test(
    'park facts whole, in order, page by page',
    ['park', 'parkedList', 'parkedTotal', 'whole'],
    async ({ storage, check }) => {
      const fact = sampleEvent({
        marketId: null,
        marketSeq: null,
        data: { text: '„Text“ 🎲\n', none: null },
      });
      const facts = [
        sampleParkedFact('books', { seq: 2 }),
        sampleParkedFact('books', { seq: 7, epoch: 'epoch-0', redo: true }),
        sampleParkedFact('books', { seq: 7, failures: 3, error: 'ein „Text“ 文字', fact }),
        sampleParkedFact('books', { seq: 10, redo: true, parkedAt: NOW + 1 }),
      ];
      await park(storage, ...[...facts].reverse(), sampleParkedFact('mail'));
      check.equal(await parkedOf(storage, 'books'), { parked: facts, total: 4 }, 'all');
      const page = { consumer: 'books', limit: 2, offset: 1 };
      const list = (query: typeof page & { redo?: true }) =>
        storage.read((r) => r.consumers.listParked(query));
      check.equal(await list(page), { parked: facts.slice(1, 3), total: 4 }, 'a page');
      const toRedo = facts.filter(({ redo }) => redo);
      check.equal(await list({ ...page, offset: 0, redo: true }), { parked: toRedo, total: 2 }, 'to redo');
      check.equal(await parkedOf(storage, 'unknown'), { parked: [], total: 0 }, 'of an unknown name');
      const again = sampleParkedFact('books', { seq: 2, failures: 20, redo: true });
      await park(storage, again);
      check.equal((await parkedOf(storage, 'books')).parked, [again, ...facts.slice(1)], 'replaced');
    },
  );

  test('take a parked fact out once', 'unpark', async ({ storage, check }) => {
    await park(storage, sampleParkedFact('books'), sampleParkedFact('books', { epoch: 'epoch-2' }));
    const unpark = (seq: number) =>
      write(storage, (rows) => rows.unpark({ consumer: 'books', epoch: 'epoch-1', seq }));
    check.equal([await unpark(8), await unpark(7), await unpark(7)], [false, true, false]);
    check.equal((await parkedOf(storage, 'books')).parked, [sampleParkedFact('books', { epoch: 'epoch-2' })]);
  });
}
