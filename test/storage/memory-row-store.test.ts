import fc from 'fast-check';
import { memoryStorage, type RowStore } from '../../adapters/storage/memory';
import { decodeRow, encodeRow } from '../../adapters/storage/memory/row-store';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { trade } from '../../testing/storage-conformance/audit-books';
import { addMarket, ALICE } from '../../testing/storage-conformance/samples';
import { writeFirst } from '../../testing/storage-conformance/state';

function mapStore(rows = new Map<string, string>()) {
  let answer: () => Promise<void> = () => Promise.resolve();
  const writes: string[][] = [];
  const store: RowStore = {
    load: async () => new Map(rows),
    async write(changes) {
      writes.push(changes.map(([key]) => key));
      for (const [key, row] of changes) {
        if (row === null) rows.delete(key);
        else rows.set(key, row);
      }
      await answer();
    },
    close: async () => undefined,
  };
  return {
    store,
    rows,
    writes,
    answerWith(next: () => Promise<void>) {
      answer = next;
    },
  };
}

async function opened(store: RowStore): Promise<Storage> {
  const storage = memoryStorage({ store });
  await storage.open({ logger: silentLogger });
  return storage;
}

const put = (storage: Storage, name: string): Promise<string> =>
  storage.transaction((transaction) => transaction.settings.putIfAbsent(name, 'value'));
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

it('a transaction is one write of the rows that it has changed, and one that changes nothing is none', async () => {
  const { store, writes } = mapStore();
  const storage = await opened(store);
  await storage.transaction((transaction) => transaction.settings.get('name'));
  expect(writes).toEqual([]);
  await put(storage, 'a');
  await put(storage, 'b');
  expect(writes).toEqual([['format', 'settings/a'], ['settings/b']]);
});

it('a work that fails writes nothing', async () => {
  const { store, writes } = mapStore();
  const storage = await opened(store);
  const failed = storage.transaction(async (transaction) => {
    await transaction.settings.putIfAbsent('a', 'value');
    throw new Error('planned');
  });
  await expect(failed).rejects.toThrow('planned');
  expect(writes).toEqual([]);
});

it('after a write whose outcome is not known every call is refused, and the next process reads what is stored', async () => {
  const { store, rows, answerWith } = mapStore();
  const storage = await opened(store);
  answerWith(() => Promise.reject(new Error('the answer is lost')));
  await expect(put(storage, 'a')).rejects.toMatchObject(unavailable);
  answerWith(() => Promise.resolve());
  await expect(put(storage, 'b')).rejects.toMatchObject(unavailable);
  await expect(storage.read((reader) => reader.settings.get('a'))).rejects.toMatchObject(unavailable);
  await expect(storage.ping()).rejects.toMatchObject(unavailable);
  await storage.close();
  expect([...rows.keys()]).toEqual(['format', 'settings/a']);
  const next = await opened(mapStore(rows).store);
  expect(await next.read((reader) => reader.settings.get('a'))).toBe('value');
});

it('reads go on without the database, and the first write that rejects ends them', async () => {
  const { store, answerWith } = mapStore();
  const storage = await opened(store);
  await put(storage, 'a');
  answerWith(() => Promise.reject(new Error('the database is away')));
  await storage.ping();
  expect(await storage.read((reader) => reader.settings.get('a'))).toBe('value');
  await expect(put(storage, 'b')).rejects.toMatchObject(unavailable);
  await expect(storage.ping()).rejects.toMatchObject(unavailable);
});

it('a write that is not answered is given up before five seconds', async () => {
  const { store, answerWith } = mapStore();
  const storage = await opened(store);
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    answerWith(() => new Promise(() => undefined));
    const refused = expect(put(storage, 'a')).rejects.toMatchObject(unavailable);
    await jest.advanceTimersByTimeAsync(4_900);
    await refused;
  } finally {
    jest.useRealTimers();
  }
});

it('a statement that work has not awaited changes no row during the write', async () => {
  const { store, rows, answerWith } = mapStore();
  const storage = await opened(store);
  let late: Promise<unknown> = Promise.resolve();
  await storage.transaction(async (transaction) => {
    await transaction.settings.putIfAbsent('a', 'value');
    answerWith(async () => {
      late = transaction.settings.putIfAbsent('late', 'value');
      await late.catch(() => undefined);
    });
  });
  await expect(late).rejects.toThrow('has ended');
  expect([...rows.keys()]).toEqual(['format', 'settings/a']);
});

it('a store that cannot be read refuses the opening, and may be tried again', async () => {
  const { store } = mapStore();
  let away = true;
  const storage = memoryStorage({
    store: { ...store, load: () => (away ? Promise.reject(new Error('away')) : store.load()) },
  });
  await expect(storage.open({ logger: silentLogger })).rejects.toThrow('away');
  await expect(storage.ping()).rejects.toMatchObject(unavailable);
  away = false;
  await storage.open({ logger: silentLogger });
  await storage.ping();
});

it.each([
  ['another format', new Map([['format', '999']]), 'have the format 999'],
  ['no format', new Map([['settings/a', '{}']]), 'have the format undefined'],
  [
    'an unknown table',
    new Map([
      ['format', '1'],
      ['planets/1', '{}'],
    ]),
    'no table for the stored row planets/1',
  ],
  [
    'the table of a key in small letters',
    new Map([
      ['format', '2'],
      ['apikeys/1', '{}'],
    ]),
    'no table for the stored row apikeys/1. The store has changed the letter case of its keys (apikeys, apiKeys): it must keep and compare keys byte by byte',
  ],
  [
    'the format in capitals',
    new Map([['FORMAT', '2']]),
    'The store has changed the letter case of its keys (format, FORMAT): it must keep and compare keys byte by byte',
  ],
])('rows with %s are refused', async (_what, rows, message) => {
  await expect(opened(mapStore(rows).store)).rejects.toThrow(message);
});

it('an object that is no store is refused with one line', () => {
  const wrong = { load: () => undefined } as unknown as RowStore;
  expect(() => memoryStorage({ store: wrong })).toThrow(
    'store must be a row store with the functions load, write',
  );
});

it('rows of the format 1, in which markets have no creator fees, are read with the fees of their trades', async () => {
  const { store, rows } = mapStore();
  const storage = await opened(store);
  const traded = await trade(storage);
  const { id: untraded } = await addMarket(storage);
  await storage.close();
  rows.set('format', '1');
  for (const [key, text] of rows)
    if (key.startsWith('markets/')) rows.set(key, text.replace(/"creatorFees":"~\d+",/, ''));
  expect(rows.get(`markets/${traded}`)).not.toContain('creatorFees');

  for (const [expected, writes] of [
    ['13000', 1],
    ['13000', 0],
  ] as const) {
    const map = mapStore(rows);
    const next = await opened(map.store);
    const markets = await next.read((reader) => reader.markets.findByIds([traded, untraded]));
    expect(markets.map(({ creatorFees }) => String(creatorFees))).toEqual([expected, '0']);
    const { differences } = await next.snapshot((reader) => reader.audit.run());
    expect(differences.filter(({ kind }) => kind === 'counter')).toEqual([]);
    expect(map.writes).toHaveLength(writes);
    await next.close();
  }
  expect(rows.get('format')).toBe('2');
});

it('texts and bigints are read as they were written', () => {
  const value = fc.oneof(
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `~${text}`),
  );
  const row = fc.record({ a: value, b: fc.array(value), c: fc.record({ d: fc.option(value) }) });
  fc.assert(fc.property(row, (written) => expect(decodeRow(encodeRow(written))).toEqual(written)));
});

it('rows of the format 2 have these fields: a change needs a new format and a way to read this one', async () => {
  const { store, rows } = mapStore();
  const storage = await opened(store);
  await storage.transaction(writeFirst);
  await storage.transaction((transaction) =>
    transaction.markets.addRisk({ creator: ALICE, liquidityParameter: 1n, unresolved: 1, lost: 0n }),
  );
  const fields = new Map<string, string>();
  for (const [key, text] of rows) {
    const row = decodeRow(text);
    if (typeof row === 'object' && row !== null)
      fields.set(key.split('/', 1)[0] ?? '', Object.keys(row).join(' '));
  }
  expect(Object.fromEntries(fields)).toEqual({
    accounts: 'id balance reserved activityCount openPositions totalPositions updatedAt',
    apiKeys: 'id wallet hash prefix label scopes rateLimit windowOf createdAt lastUsedAt revokedAt',
    candles: 'marketId lengthMs time open high low close volume trades',
    challenges: 'nonce address action keyId format message issuedAt expiresAt',
    consumers: 'name epoch seq token owner ownedUntil failures lastError createdAt updatedAt',
    counters: 'name value',
    creators: 'address status displayName statement appliedAt approvedAt rejectedReason updatedAt',
    deposits: 'reference wallet amount balanceAfter reservedAfter createdAt',
    events: 'seq marketId marketSeq kind createdAt data',
    idempotency: 'wallet key requestHash answer createdAt',
    leases: 'name owner until token',
    markets:
      'id slug question description resolutionCriteria category creator status createdAt resolveDate liquidityParameter sharesYes sharesNo pool volume creatorFees tradeCount marketSeq lastFactAt resolution dueAt awaitsOracle leaseToken oracleAttempts',
    parkedFacts: 'consumer epoch seq fact failures error parkedAt redo',
    operatorActs: 'id at operator action target details',
    payments:
      'id asset payer nonce status amount operation fingerprint payment command transaction answer reason createdAt updatedAt leaseUntil leaseToken dueAt attempts decision',
    positions: 'marketId wallet side shares costBasis realizedPnl feesPaid paidOut updatedAt',
    postings: 'kind reference createdAt entries',
    resolutions: 'marketId status lastOutcome nextAttemptAt updatedAt details',
    risks: 'creator liquidityParameter unresolved lost',
    rounds: 'marketId round status leaseToken startedAt endedAt calls costMicros finding details',
    settings: 'name value',
    totals: 'status category markets exposure',
    trades:
      'id type marketId wallet side action shares notional fee totalCost realizedPnl yesPriceAfter createdAt',
    webhookDeliveries:
      'id webhookId epoch seq event attempt outcome attemptedAt durationMs responseStatus responseBody error',
    webhooks:
      'id url description events secrets status disabledReason seq failures failingSince nextAttemptAt lost revision createdAt updatedAt',
    withdrawals: 'id wallet walletSeq amount status payoutState transaction reason createdAt updatedAt',
  });
});
