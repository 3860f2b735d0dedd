import type { Webhook } from '../../src/domain/webhooks';
import type { NewWebhook, Storage, Transaction } from '../../src/ports/storage';
import { atOnce, rolledBack, type Suite } from './suite';
import { MINUTE, NOW } from './samples';
import { sampleDelivery, sampleWebhook } from './webhook-samples';

const write = <T>(storage: Storage, work: (rows: Transaction['webhooks']) => Promise<T>): Promise<T> =>
  storage.transaction((transaction) => work(transaction.webhooks));
const insert = (storage: Storage, fields: Partial<NewWebhook> = {}): Promise<Webhook> =>
  write(storage, (rows) => rows.insert(sampleWebhook(fields)));
const find = (storage: Storage, id: number): Promise<Webhook | null> =>
  storage.read((r) => r.webhooks.find(id));
const seqsOf = async (storage: Storage, webhookId: number, page = { limit: 100, offset: 0 }) => {
  const { deliveries, total } = await storage.read((r) => r.webhooks.listDeliveries({ webhookId, ...page }));
  return { seqs: deliveries.map(({ seq }) => seq), total };
};
const deliveriesOf = (...seqs: number[]) => seqs.map((seq) => sampleDelivery({ seq }));

/** Every field that `update` can change differs from the sample. */
const CHANGED: NewWebhook = {
  url: 'http://127.0.0.1:1/',
  description: 'Büro ☔',
  events: ['market.resolved'],
  secrets: [
    { secret: 'whsec_bmV3ZXI=', until: null },
    { secret: 'whsec_bmV3', until: NOW + MINUTE },
  ],
  status: 'disabled',
  disabledReason: 'gone',
  seq: 0,
  failures: 77,
  failingSince: NOW + 1,
  nextAttemptAt: NOW + 2,
  lost: { from: 6, to: 9 },
  revision: 2,
  createdAt: NOW,
  updatedAt: NOW + 3,
};

export function webhookTests(suite: Suite): void {
  suite.describe('webhooks', () => {
    endpointTests(suite);
    removalTests(suite);
  });
  suite.describe('deliveries of webhooks', () => deliveryTests(suite));
}

function endpointTests({ test }: Suite): void {
  test(
    'are kept whole, and changed whole',
    ['updateWebhook', 'whole', 'held'],
    async ({ storage, check }) => {
      const made = await insert(storage);
      const other = await insert(storage, CHANGED);
      check.equal(made, { ...sampleWebhook(), id: made.id }, 'inserted');
      check.equal(await find(storage, other.id), { ...CHANGED, id: other.id }, 'found');
      check.equal(await find(storage, other.id + 1_000), null, 'unknown');
      await write(storage, async (rows) => {
        check.by('held').equal(await rows.lock(made.id), made, 'locked');
        check.by('held').equal(await rows.lock(other.id + 1_000), null, 'unknown, locked');
        await rows.update({ ...CHANGED, id: made.id, createdAt: 1 });
      });
      check.equal(await find(storage, made.id), { ...CHANGED, id: made.id }, 'changed');
      check.equal(await find(storage, other.id), { ...CHANGED, id: other.id }, 'the other');
      await check.rejects(
        write(storage, (rows) => rows.update({ ...made, id: other.id + 1_000 })),
        'one that does not exist',
      );
    },
  );

  test('are listed by id, page by page', ['keysById', 'webhookTotal'], async ({ storage, check }) => {
    const ids: number[] = [];
    for (let number = 0; number < 5; number += 1) ids.push((await insert(storage)).id);
    const list = (limit: number, offset: number) => storage.read((r) => r.webhooks.list({ limit, offset }));
    const page = await list(2, 1);
    check.equal(
      page.webhooks,
      ids.slice(1, 3).map((id) => ({ ...sampleWebhook(), id })),
      'page',
    );
    check.by('webhookTotal').equal(page.total, 5, 'total');
    check.equal(await list(2, 5), { webhooks: [], total: 5 }, 'after the last');
  });

  test(
    'that are locked by several at once are changed by one after the other',
    'held',
    async ({ storage, other, check }) => {
      const { id } = await insert(storage, { failures: 0 });
      await atOnce(8, [storage, await other()], (handle) =>
        write(handle, async (rows) => {
          const webhook = await rows.lock(id);
          if (webhook !== null) await rows.update({ ...webhook, failures: webhook.failures + 1 });
        }),
      );
      check.equal((await find(storage, id))?.failures, 8);
    },
  );

  test('that were rolled back were never there', 'atomic', async ({ storage, check }) => {
    const { id } = await insert(storage);
    await rolledBack(storage, async ({ webhooks }) => {
      await webhooks.insert(sampleWebhook());
      await webhooks.addDeliveries(id, deliveriesOf(6), 10);
      await webhooks.update({ ...CHANGED, id });
    });
    await rolledBack(storage, ({ webhooks }) => webhooks.delete(id));
    check.equal(await storage.read((r) => r.webhooks.list({ limit: 10, offset: 0 })), {
      webhooks: [{ ...sampleWebhook(), id }],
      total: 1,
    });
    check.equal(await seqsOf(storage, id), { seqs: [], total: 0 });
  });
}

function removalTests({ test }: Suite): void {
  test(
    'are removed with their deliveries, and their ids are not used again',
    ['deleteWebhook', 'deleteUnknown', 'webhookIds'],
    async ({ storage, check }) => {
      const kept = await insert(storage);
      const gone = await insert(storage);
      for (const { id } of [kept, gone])
        await write(storage, (rows) => rows.addDeliveries(id, deliveriesOf(6), 10));
      check.equal(await write(storage, (rows) => rows.delete(gone.id)), true, 'removed');
      check.by('deleteUnknown').equal(await write(storage, (rows) => rows.delete(gone.id)), false, 'again');
      check.equal(await find(storage, gone.id), null, 'found');
      check.equal(await seqsOf(storage, gone.id), { seqs: [], total: 0 }, 'its deliveries');
      check.equal(await seqsOf(storage, kept.id), { seqs: [6], total: 1 }, 'those of the other');
      const next = await insert(storage);
      check.by('webhookIds').equal(next.id > gone.id, true, `${next.id} is a new id after ${gone.id}`);
    },
  );
}

function deliveryTests({ test }: Suite): void {
  test(
    'are kept whole, newest first',
    ['newestFirst', 'whole', 'deliveryTotal'],
    async ({ storage, check }) => {
      const { id } = await insert(storage);
      const other = await insert(storage);
      const given = [
        sampleDelivery(),
        sampleDelivery({
          epoch: 'epoch-2',
          seq: Number.MAX_SAFE_INTEGER,
          event: 'creator.updated',
          attempt: 7,
          outcome: 'failed',
          attemptedAt: NOW + 5,
          durationMs: 15_000,
          responseStatus: 500,
          responseBody: 'no ☔ \u0000\ud800 "',
          error: 'HTTP 500',
        }),
        sampleDelivery({
          event: null,
          attempt: 0,
          outcome: 'lost',
          responseStatus: null,
          responseBody: null,
        }),
      ];
      await write(storage, (rows) => rows.addDeliveries(id, given, 10));
      await write(storage, (rows) => rows.addDeliveries(other.id, deliveriesOf(1), 10));
      const { deliveries, total } = await storage.read((r) =>
        r.webhooks.listDeliveries({ webhookId: id, limit: 10, offset: 0 }),
      );
      const expected = given.map((delivery, index) => ({
        ...delivery,
        id: deliveries[given.length - 1 - index]?.id,
        webhookId: id,
      }));
      check.equal(deliveries, expected.reverse());
      check.by('deliveryTotal').equal(total, 3, 'total');
      const ids = deliveries.map((delivery) => delivery.id);
      check.equal(
        ids,
        [...ids].sort((a, b) => b - a),
        'ids',
      );
      check.equal(
        await seqsOf(storage, id, { limit: 1, offset: 1 }),
        { seqs: [given[1]?.seq], total: 3 },
        'page',
      );
    },
  );

  test('are kept up to a number for each webhook', 'addDeliveries', async ({ storage, check }) => {
    const { id } = await insert(storage);
    const other = await insert(storage);
    await write(storage, (rows) => rows.addDeliveries(other.id, deliveriesOf(1, 2, 3, 4), 4));
    await write(storage, (rows) => rows.addDeliveries(id, deliveriesOf(1, 2, 3), 3));
    check.equal(await seqsOf(storage, id), { seqs: [3, 2, 1], total: 3 }, 'as many as are kept');
    await write(storage, (rows) => rows.addDeliveries(id, deliveriesOf(4, 5), 3));
    check.equal(await seqsOf(storage, id), { seqs: [5, 4, 3], total: 3 }, 'the newest');
    await write(storage, (rows) => rows.addDeliveries(id, deliveriesOf(6, 7, 8, 9), 2));
    check.equal(await seqsOf(storage, id), { seqs: [9, 8], total: 2 }, 'fewer than are added');
    await write(storage, (rows) => rows.addDeliveries(id, [], 1));
    check.equal(await seqsOf(storage, id), { seqs: [9], total: 1 }, 'none is added');
    check.equal(await seqsOf(storage, other.id), { seqs: [4, 3, 2, 1], total: 4 }, 'of the other');
  });
}
