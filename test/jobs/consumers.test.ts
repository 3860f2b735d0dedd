import { afterEach, describe, expect, it } from '@jest/globals';
import type { AnyPublishedEvent, ConsumedFact, LocalEvent } from '../../src';
import { memoryStorage } from '../../adapters/storage/memory';
import { sampleConsumer } from '../../testing/storage-conformance/consumer-samples';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { quiet } from './manual-timers';

const ignore = (): void => undefined;

describe('pm.consume', () => {
  let test: TestMarket;
  afterEach(() => test.close());

  it('hands over the events of each fact after the newest one, with what names the fact', async () => {
    test = await createTestMarket();
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const { id } = await test.createMarket();
    const told: [string[], Omit<ConsumedFact, 'signal'>][] = [];
    await test.pm.consume('books', (events, { signal: _signal, ...fact }) => {
      told.push([events.map(({ event }) => event), fact]);
    });
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    await test.runJobs();
    const { epoch, seq } = test.pm.eventPosition();
    const names = ['trade', 'price', 'account.trade', 'account.balance', 'account.balance'];
    expect(told).toEqual([[names, { epoch, seq, marketId: id, attempt: 1, token: 1 }]]);
  });

  it('goes on where it was, in another process, also with facts from while it was away', async () => {
    const storage = memoryStorage();
    const kept = { ...storage, open: async () => undefined, close: async () => undefined };
    await storage.open({ logger: { debug: ignore, info: ignore, warn: ignore, error: ignore } });
    const seqs: number[] = [];
    const note = (_events: readonly AnyPublishedEvent[], { seq }: ConsumedFact): void => void seqs.push(seq);
    test = await createTestMarket({ storage: kept });
    await test.fund(test.wallet('alice'), 1);
    await test.pm.consume('books', note, { from: 'oldest' });
    await test.runJobs();
    await test.close();
    test = await createTestMarket({ storage: kept });
    await test.pm.deposit({ address: test.wallet('alice').address, amount: 1, reference: 'another' });
    await test.pm.consume('books', note);
    await test.runJobs();
    expect(seqs).toEqual([1, 2]);
  });

  it('tells of a parked fact, with an alarm', async () => {
    test = await createTestMarket();
    const told: LocalEvent<'consumer.parked'>[] = [];
    test.pm.events.on('consumer.parked', (event) => void told.push(event));
    await test.pm.consume('books', () => Promise.reject(new Error('no pen')), { attempts: 1 });
    await test.fund(test.wallet('alice'), 1);
    await test.runJobs();
    const { epoch } = test.pm.eventPosition();
    expect(told.map(({ data }) => data)).toEqual([
      { consumer: 'books', epoch, seq: 1, failures: 1, error: 'Error: no pen' },
    ]);
    expect(test.pm.alarms()).toMatchObject([{ name: 'consumer-parked', subject: 'consumer books' }]);
  });

  it('stops with an alarm when its position is of another epoch, and when it has a hundred parked facts', async () => {
    const storage = memoryStorage();
    test = await createTestMarket({ storage });
    const before = sampleConsumer('restored', { epoch: 'before the restore', owner: null });
    await storage.transaction((transaction) => transaction.consumers.insert(before));
    const calls: string[] = [];
    await test.pm.consume('restored', () => void calls.push('restored'));
    await test.pm.consume('full', () => Promise.reject(new Error('no')), { attempts: 1, concurrency: 3 });
    for (let funded = 0; funded < 120; funded += 1) await test.fund(test.wallet('alice'), 1);
    await test.runJobs();
    expect(calls).toEqual([]);
    const full = await storage.read((reader) => reader.consumers.find('full'));
    expect(full).toMatchObject({ seq: 100 });
    expect(test.pm.alarms().map(({ name, subject }) => `${name} ${subject}`)).toEqual([
      'consumer-stopped consumer full',
      'consumer-stopped consumer restored',
      'consumer-parked consumer full',
    ]);
  });

  it('ends its work with stop, and waits for the handler, which hears of it', async () => {
    test = await createTestMarket();
    let heard = false;
    const ended: string[] = [];
    const handle = await test.pm.consume('books', async (_events, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      heard = true;
      await quiet();
      ended.push('handler');
    });
    await test.fund(test.wallet('alice'), 1);
    await quiet();
    await handle.stop();
    ended.push('stop');
    expect([heard, ended]).toEqual([true, ['handler', 'stop']]);
    await test.pm.consume('books', ignore);
  });

  it('refuses what is no consumer', async () => {
    test = await createTestMarket();
    const { consume } = test.pm;
    await expect(consume('Books', ignore)).rejects.toThrow(/^consume: the name must be 1 to 64 lower-case/);
    await expect(consume('books', 7 as never)).rejects.toThrow(/^consume: the handler must be a function/);
    const misspelt = consume('books', ignore, { concurency: 2 } as never);
    await expect(misspelt).rejects.toThrow('consume: unknown option concurency; did you mean concurrency?');
    await expect(consume('books', ignore, { from: 'then' as never })).rejects.toThrow(/from must be "now"/);
    const ahead = { epoch: test.pm.eventPosition().epoch, seq: 5 };
    await expect(consume('books', ignore, { from: ahead })).rejects.toMatchObject({ code: 'SEQ_AHEAD' });
    await consume('books', ignore);
    await expect(consume('books', ignore)).rejects.toThrow('this instance already has a consumer books');
    for (let made = 1; made < 100; made += 1) await consume(`books-${made}`, ignore);
    await expect(consume('one-more', ignore)).rejects.toMatchObject({ code: 'CONSUMER_LIMIT_REACHED' });
    await test.close();
    await expect(consume('late', ignore)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
