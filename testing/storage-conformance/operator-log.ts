import type { Storage } from '../../src/ports/storage';
import type { NewOperatorAct, OperatorLogFilter } from '../../src/ports/storage/operator-log';
import { NOW } from './samples';
import { atOnce, type Suite } from './suite';

export const sampleAct = (fields: Partial<NewOperatorAct> = {}): NewOperatorAct => ({
  at: NOW,
  operator: 'Åsa „文字“ 🎲',
  action: 'creator.reject',
  target: '7',
  details: { reason: 'ein „Text“\n文字 🎲', amount: 0.000001, none: null, scopes: ['a', 'b'] },
  ...fields,
});

const append = (storage: Storage, act: NewOperatorAct): Promise<void> =>
  storage.transaction((transaction) => transaction.operatorLog.append(act));

export function operatorLogTests({ describe, test }: Suite): void {
  describe('the operators’ log', () => {
    test(
      'keeps acts whole, newest first, page by page, all or those of an action',
      ['actList', 'whole'],
      async ({ storage, check }) => {
        const acts = [
          sampleAct(),
          sampleAct({ action: 'market.close', details: {} }),
          sampleAct({ at: NOW - 5, operator: 'b', target: 'treasury' }),
        ];
        for (const act of acts) await append(storage, act);
        const list = async (query: {
          action?: 'creator.reject' | 'key.revoke';
          limit: number;
          offset: number;
        }) => (await storage.read((r) => r.operatorLog.list(query))).map(({ id: _id, ...act }) => act);
        const newestFirst = [...acts].reverse();
        check.equal(await list({ limit: 10, offset: 0 }), newestFirst, 'all');
        check.equal(await list({ limit: 1, offset: 1 }), newestFirst.slice(1, 2), 'a page');
        const ofAction = newestFirst.filter(({ action }) => action === 'creator.reject');
        check.equal(await list({ action: 'creator.reject', limit: 10, offset: 0 }), ofAction, 'of an action');
        const page = await list({ action: 'creator.reject', limit: 5, offset: 1 });
        check.equal(page, ofAction.slice(1), 'a page of an action');
        check.equal(await list({ action: 'key.revoke', limit: 10, offset: 0 }), [], 'of another action');
      },
    );

    test(
      'lists the acts that have all values of the filter',
      ['actFilter', 'actList'],
      async ({ storage, check }) => {
        for (const [index, operator] of ['Ann', 'Bob', 'Ann', 'Ann', 'Bob'].entries())
          await append(storage, sampleAct({ at: NOW + index, operator, target: String(index % 2) }));
        const timesOf = async (filter: OperatorLogFilter): Promise<number[]> => {
          const acts = await storage.read((r) => r.operatorLog.list({ ...filter, limit: 10, offset: 0 }));
          return acts.map(({ at }) => at - NOW);
        };
        check.equal(await timesOf({ operator: 'Ann' }), [3, 2, 0], 'of an operator');
        check.equal(await timesOf({ target: '1' }), [3, 1], 'on a target');
        check.equal(await timesOf({ operator: 'Ann', target: '0' }), [2, 0], 'of an operator on a target');
        check.equal(await timesOf({ operator: 'ann' }), [], 'in another letter case');
        check.equal(await timesOf({ since: NOW + 2 }), [4, 3, 2], 'since an instant');
        check.equal(await timesOf({ until: NOW + 2 }), [1, 0], 'until an instant');
        const all = { action: 'creator.reject', since: NOW + 1, until: NOW + 4 } as const;
        check.equal(await timesOf({ ...all, operator: 'Ann', target: '0' }), [2], 'by all filters');
        check.equal(await timesOf({ ...all, action: 'key.revoke' }), [], 'of another action');
      },
    );

    test(
      'numbers acts upwards, also those of many at once',
      ['actIds', 'actList'],
      async ({ storage, other, check }) => {
        await append(storage, sampleAct());
        const [first] = await storage.read((r) => r.operatorLog.list({ limit: 1, offset: 0 }));
        await atOnce(8, [storage, await other()], (handle, index) =>
          append(handle, sampleAct({ target: String(index) })),
        );
        const ids = (await storage.read((r) => r.operatorLog.list({ limit: 20, offset: 0 }))).map(
          ({ id }) => id,
        );
        check.equal(new Set(ids).size, 9, 'ids');
        check.equal(
          ids,
          [...ids].sort((a, b) => b - a),
          'the order of ids',
        );
        check.equal(ids.at(-1), first?.id, 'the first act');
      },
    );
  });
}
