import type { PaymentRecord, PaymentStatus } from '../../src/domain/payments';
import type { NewPayment, Storage } from '../../src/ports/storage';
import { atOnce, dawdle, PlantedError, rolledBack, type Suite } from './suite';
import { address, BOB, GREATEST, MINUTE, NOW, samplePayment } from './samples';

export function paymentTests(suite: Suite): void {
  claimTests(suite);
  lifeTests(suite);
  dueTests(suite);
  listTests(suite);
}

async function claim(storage: Storage, payment: NewPayment): Promise<PaymentRecord> {
  const claimed = await storage.transaction((transaction) => transaction.payments.insert(payment));
  if (claimed === null) throw new Error('the payment was taken');
  return claimed;
}

function claimTests({ describe, test }: Suite): void {
  describe('claims of payments', () => {
    test('are kept whole under asset, payer and nonce', 'whole', async ({ storage, check }) => {
      const payment = samplePayment('whole', {
        amount: GREATEST,
        payment: '{"text":"\\u0000 文字"}',
        reason: 'why',
      });
      check.equal(await storage.read((r) => r.payments.find(payment)), null, 'before');
      const claimed = await claim(storage, payment);
      check.equal(claimed, { ...payment, id: claimed.id });
      check.equal(await storage.read((r) => r.payments.find(payment)), claimed, 'found');
      for (const other of [{ asset: address(1) }, { payer: BOB }, { nonce: samplePayment('x').nonce }]) {
        check.equal(
          await storage.read((r) => r.payments.find({ ...payment, ...other })),
          null,
          'another key',
        );
      }
    });

    test(
      'are refused while the key is taken, and leave the transaction in working order',
      'claim',
      async ({ storage, check }) => {
        const first = await claim(storage, samplePayment('taken'));
        await storage.transaction(async (transaction) => {
          check.equal(
            await transaction.payments.insert(samplePayment('taken', { operation: 'markets' })),
            null,
          );
          await transaction.settings.putIfAbsent('went', 'on');
        });
        check.equal(await storage.read((r) => r.payments.find(first)), first, 'unchanged');
        check.equal(await storage.read((r) => r.settings.get('went')), 'on');
        const others = [{ asset: address(1) }, { payer: BOB }];
        for (const other of others) await claim(storage, samplePayment('taken', other));
      },
    );

    test(
      'of one key at the same time: one is granted, though others roll back',
      'claim',
      async ({ storage, other, check }) => {
        const outcomes = await atOnce(16, [storage, await other()], (handle, index) =>
          handle
            .transaction(async (transaction) => {
              if ((await transaction.payments.insert(samplePayment('contested'))) === null) return 'taken';
              await dawdle(transaction);
              if (index < 4) throw new PlantedError('after the claim');
              return 'granted';
            })
            .catch((error: unknown) => (error instanceof PlantedError ? 'rolled back' : String(error))),
        );
        check.equal(outcomes.filter((outcome) => outcome === 'granted').length, 1, outcomes.join(', '));
        check.equal(new Set([...outcomes, 'taken', 'rolled back']).size, 3, outcomes.join(', '));
      },
    );

    test('can be given back', ['giveBack', 'paymentIds'], async ({ storage, check }) => {
      const first = await claim(storage, samplePayment('back'));
      await rolledBack(storage, (transaction) => transaction.payments.delete(first.id));
      check.equal(await storage.read((r) => r.payments.find(first)), first, 'after a rollback');
      await storage.transaction((transaction) => transaction.payments.delete(first.id));
      check.equal(await storage.read((r) => r.payments.find(first)), null);
      check.equal(await storage.transaction((transaction) => transaction.payments.lock(first.id)), null);
      const again = await claim(storage, samplePayment('back'));
      check.by('paymentIds').equal(again.id === first.id, false, 'an id given twice');
    });
  });
}

function lifeTests({ describe, test }: Suite): void {
  describe('payments', () => {
    test('are updated whole, but for what names them', 'updatePayment', async ({ storage, check }) => {
      const claimed = await claim(storage, samplePayment('life'));
      const settled: PaymentRecord = {
        ...claimed,
        status: 'settled',
        payment: '{}',
        command: '{"limit":5}',
        transaction: '0xabc',
        answer: {
          status: 201,
          headers: { 'Content-Type': 'application/json' },
          body: '{"text":"\\u0000 “ 文"}',
        },
        reason: 'none',
        updatedAt: NOW + 5,
        leaseUntil: 0,
        leaseToken: 7,
        dueAt: null,
        attempts: 3,
      };
      const forged = { ...settled, amount: 1n, operation: 'x', fingerprint: 'x', createdAt: 1 };
      await storage.transaction((transaction) => transaction.payments.update(forged));
      check.equal(await storage.read((r) => r.payments.find(claimed)), settled);
      check.equal(
        await storage.transaction((transaction) => transaction.payments.lock(claimed.id)),
        settled,
        'locked',
      );
      const delivered: PaymentRecord = { ...settled, status: 'delivered', answer: null };
      await rolledBack(storage, (transaction) => transaction.payments.update(delivered));
      check.equal(await storage.read((r) => r.payments.find(claimed)), settled, 'rolled back');
      await storage.transaction((transaction) => transaction.payments.update(delivered));
      check.equal(await storage.read((r) => r.payments.find(claimed)), delivered);
    });

    test('that do not exist cannot be updated', 'updatePayment', async ({ storage, check }) => {
      const ghost = { ...samplePayment('ghost'), id: 4711 };
      await check.rejects(storage.transaction((transaction) => transaction.payments.update(ghost)));
      check.equal(await storage.transaction((transaction) => transaction.payments.lock(4711)), null);
    });

    test('under lock change one after the other', 'heldById', async ({ storage, other, check }) => {
      const { id } = await claim(storage, samplePayment('locked'));
      await atOnce(8, [storage, await other()], (handle) =>
        handle.transaction(async (transaction) => {
          const payment = await transaction.payments.lock(id);
          if (payment === null) throw new Error('gone');
          await dawdle(transaction);
          await transaction.payments.update({ ...payment, attempts: payment.attempts + 1 });
        }),
      );
      check.equal((await storage.transaction((transaction) => transaction.payments.lock(id)))?.attempts, 8);
    });

    test(
      'rejected and old are removed, oldest first, no others',
      'deleteRejected',
      async ({ storage, check }) => {
        const at = (name: string, status: PaymentStatus, updatedAt: number, more: Partial<NewPayment> = {}) =>
          claim(storage, samplePayment(name, { status, updatedAt, ...more }));
        const told = { verdict: 'rejected', reason: 'No such transfer.', decidedAt: NOW - 9 } as const;
        const old = [await at('a', 'rejected', NOW - 3), await at('b', 'rejected', NOW - 1)];
        const older = await at('c', 'rejected', NOW - 5);
        const kept = [
          await at('d', 'rejected', NOW),
          await at('e', 'delivered', NOW - 9),
          await at('f', 'claimed', NOW - 9),
          await at('g', 'rejected', NOW - 9, { decision: { ...told, was: 'submitted' } }),
        ];
        check.equal(
          await storage.transaction((transaction) => transaction.payments.deleteRejected(NOW, 1)),
          1,
        );
        check.equal(await storage.read((r) => r.payments.find(older)), null, 'the oldest');
        check.equal(
          await storage.transaction((transaction) => transaction.payments.deleteRejected(NOW, 10)),
          2,
        );
        for (const payment of old) check.equal(await storage.read((r) => r.payments.find(payment)), null);
        for (const payment of kept) check.equal(await storage.read((r) => r.payments.find(payment)), payment);
      },
    );
  });
}

function dueTests({ describe, test }: Suite): void {
  describe('due payments', () => {
    test(
      'are leased earliest first, each with a higher token',
      'leasePayments',
      async ({ storage, check }) => {
        const due = (name: string, dueAt: number | null) => claim(storage, samplePayment(name, { dueAt }));
        const late = await due('late', NOW);
        const early = await due('early', NOW - 5);
        await due('future', NOW + 1);
        await due('done', null);
        const lease = (limit: number) =>
          storage.transaction((transaction) =>
            transaction.payments.leaseDue({ now: NOW, leaseUntil: NOW + MINUTE, limit }),
          );
        const leased = { dueAt: NOW + MINUTE, leaseUntil: NOW + MINUTE, leaseToken: 2 };
        check.equal(await lease(1), [{ ...early, ...leased }]);
        check.equal(await lease(5), [{ ...late, ...leased }]);
        check.equal(await lease(5), [], 'none left');
        check.equal(await storage.read((r) => r.payments.find(late)), { ...late, ...leased }, 'stored');
      },
    );

    test(
      'are those too that a wrong clock has leased',
      ['strayPayments', 'strayPaymentsTaken'],
      async ({ storage, check }) => {
        const far = NOW + 60 * MINUTE;
        const make = (name: string, dueAt: number, leaseUntil: number) =>
          claim(storage, samplePayment(name, { dueAt, leaseUntil }));
        const stray = await make('stray', far, far);
        const due = await make('due', NOW, 0);
        await make('waits long', far, 0);
        await make('leased', NOW + MINUTE, NOW + MINUTE);
        const leased = await storage.transaction((transaction) =>
          transaction.payments.leaseDue({ now: NOW, leaseUntil: NOW + MINUTE, limit: 5 }),
        );
        check.by('strayPaymentsTaken').equal(
          leased.map(({ id }) => id),
          [due.id, stray.id],
        );
      },
    );

    test('are leased by one of many', 'leasePayments', async ({ storage, other, check }) => {
      for (let index = 0; index < 20; index += 1)
        await claim(storage, samplePayment(`p${index}`, { dueAt: NOW - index }));
      const taken = await atOnce(8, [storage, await other()], (handle) =>
        handle.transaction((transaction) =>
          transaction.payments.leaseDue({ now: NOW, leaseUntil: NOW + MINUTE, limit: 5 }),
        ),
      );
      const ids = taken.flat().map(({ id }) => id);
      check.equal(new Set(ids).size, ids.length, 'no payment twice');
    });
  });
}

function listTests({ describe, test }: Suite): void {
  describe('lists of payments', () => {
    test(
      'count those on which work is left, by status, as far as the limit',
      ['paymentBacklog', 'paymentBacklogOldest', 'paymentBacklogGaps'],
      async ({ storage, check }) => {
        const backlog = async (limit: number) =>
          (await storage.read((r) => r.payments.backlog(limit))).sort((a, b) =>
            a.status < b.status ? -1 : 1,
          );
        check.equal(await backlog(10), [], 'none');
        const due = (name: string, status: PaymentStatus, createdAt: number, dueAt: number | null) =>
          claim(storage, samplePayment(name, { status, createdAt, dueAt }));
        await due('first', 'submitted', NOW - 7, NOW + 1);
        await due('second', 'submitted', NOW - 9, NOW + 2);
        await due('again', 'rejected', NOW - 8, NOW + 3);
        await due('done', 'delivered', NOW - 99, null);
        await due('refused', 'rejected', NOW - 99, null);
        const rejected = { status: 'rejected', count: 1, oldest: NOW - 8 };
        const submitted = { status: 'submitted', count: 2, oldest: NOW - 9 };
        check.equal(await backlog(10), [rejected, submitted], 'all');
        check.equal(await backlog(2), [submitted], 'those that are due first');
        check.equal(await backlog(1), [{ ...submitted, count: 1, oldest: NOW - 7 }], 'one');
      },
    );

    test(
      'have the newest first, all or of one status',
      ['newestFirst', 'ordered'],
      async ({ storage, check }) => {
        const statuses: PaymentStatus[] = ['settled', 'claimed', 'settled', 'rejected', 'settled'];
        const made: PaymentRecord[] = [];
        for (const [index, status] of statuses.entries())
          made.unshift(await claim(storage, samplePayment(`l${index}`, { status })));
        const list = (query: { status?: PaymentStatus; limit: number; offset: number }) =>
          storage.read((r) => r.payments.list(query));
        check.equal(await list({ limit: 10, offset: 0 }), made);
        check.equal(await list({ limit: 2, offset: 1 }), made.slice(1, 3));
        const settled = made.filter(({ status }) => status === 'settled');
        check.equal(await list({ status: 'settled', limit: 2, offset: 0 }), settled.slice(0, 2));
        check.equal(await list({ status: 'settled', limit: 2, offset: 2 }), settled.slice(2));
        check.equal(await list({ status: 'delivered', limit: 2, offset: 0 }), []);
      },
    );
  });
}
