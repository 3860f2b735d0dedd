import type {
  ResolutionRound,
  ResolutionState,
  ResolutionStatus,
} from '../../src/domain/oracle/resolution-state';
import type { Market } from '../../src/domain/types';
import type { Storage, Transaction } from '../../src/ports/storage';
import { rolledBack, type Suite } from './suite';
import { sampleResolution, sampleRound, sampleVote } from './resolution-samples';
import { addMarket, GREATEST, MINUTE, NOW, recordOf } from './samples';

const write = <T>(storage: Storage, work: (rows: Transaction['resolutions']) => Promise<T>): Promise<T> =>
  storage.transaction((transaction) => work(transaction.resolutions));
const save = (storage: Storage, state: ResolutionState): Promise<void> =>
  write(storage, (rows) => rows.save(state));
const insert = (storage: Storage, round: ResolutionRound): Promise<void> =>
  write(storage, (rows) => rows.insertRound(round));
const roundsOf = (storage: Storage, marketId: number, limit = 100): Promise<ResolutionRound[]> =>
  storage.read((r) => r.resolutions.listRounds({ marketId, limit }));

const ended = (marketId: number, fields: Partial<ResolutionRound> = {}): ResolutionRound =>
  sampleRound(marketId, {
    status: 'voted',
    leaseToken: 7,
    endedAt: NOW + MINUTE,
    votes: [sampleVote(), sampleVote({ oracle: 'other', model: null, outcome: 'NO', probability: 0.125 })],
    verdict: {
      finding: 'split',
      consensus: { outcome: 'UNKNOWN', probability: 0.5, confidence: 0.25, agreement: 0.5 },
      decision: { kind: 'again' },
    },
    calls: 2,
    costMicros: 2_000n,
    ...fields,
  });

export function resolutionTests(suite: Suite): void {
  stateTests(suite);
  roundTests(suite);
}

function stateTests({ describe, test }: Suite): void {
  describe('resolutions', () => {
    test(
      'are kept whole, one a market, and replaced',
      ['saveResolution', 'whole'],
      async ({ storage, check }) => {
        const { id } = await addMarket(storage);
        const find = () => storage.read((r) => r.resolutions.find(id));
        check.equal(await find(), null, 'before');
        await save(storage, sampleResolution(id));
        check.equal(await find(), sampleResolution(id), 'inserted');
        const changed = sampleResolution(id, {
          status: 'proposed',
          history: { rounds: 9, disagreements: 3, fruitless: 4, hasSplit: true, unanimous: 'NO' },
          lastOutcome: 'NO',
          proposal: { outcome: 'NO', confidence: 0.8125, proposedAt: NOW + 1, payAt: NOW + MINUTE },
          nextAttemptAt: null,
          updatedAt: NOW + 2,
        });
        await save(storage, changed);
        check.equal(await find(), changed, 'replaced');
        check.equal(await storage.read((r) => r.resolutions.find(id + 1_000)), null, 'unknown');
      },
    );

    test(
      'that are not done are listed by market, with what they are of',
      ['resolutionList', 'resolutionTotal'],
      async ({ storage, check }) => {
        const statuses: ResolutionStatus[] = [
          'escalated',
          'done',
          'waiting',
          'proposed',
          'waiting',
          'stalled',
        ];
        const markets: Market[] = [];
        for (const status of statuses) {
          const market = await addMarket(storage);
          await save(storage, sampleResolution(market.id, { status }));
          markets.push(market);
        }
        const list = (query: { status?: 'waiting' | 'escalated'; limit: number; offset: number }) =>
          storage.read((r) => r.resolutions.list(query));
        const expected = (...at: number[]) =>
          at.flatMap((index) => {
            const [market, status] = [markets[index], statuses[index]];
            if (market === undefined || status === undefined) return [];
            return [{ ...sampleResolution(market.id, { status }), market: recordOf(market) }];
          });
        check.equal(
          await list({ limit: 10, offset: 0 }),
          { resolutions: expected(0, 2, 3, 4, 5), total: 5 },
          'all',
        );
        check.equal(
          await list({ limit: 2, offset: 1 }),
          { resolutions: expected(2, 3), total: 5 },
          'a page of all',
        );
        check.equal(
          await list({ status: 'waiting', limit: 1, offset: 1 }),
          { resolutions: expected(4), total: 2 },
          'a page of those that wait',
        );
        await save(storage, sampleResolution(markets[0]?.id ?? 0, { status: 'done' }));
        check.equal(
          await list({ status: 'escalated', limit: 10, offset: 0 }),
          { resolutions: [], total: 0 },
          'none of a status',
        );
      },
    );

    test('that were rolled back were never there', 'atomic', async ({ storage, check }) => {
      const { id } = await addMarket(storage);
      await rolledBack(storage, async (transaction) => {
        await transaction.resolutions.save(sampleResolution(id));
        await transaction.resolutions.insertRound(sampleRound(id));
      });
      check.equal(await storage.read((r) => r.resolutions.find(id)), null);
      check.equal(await roundsOf(storage, id), []);
    });
  });
}

function roundTests({ describe, test }: Suite): void {
  describe('rounds of the oracle', () => {
    test(
      'are kept whole, each number once a market',
      ['insertRound', 'updateRound', 'whole'],
      async ({ storage, check }) => {
        const [id, other] = [(await addMarket(storage)).id, (await addMarket(storage)).id];
        await insert(storage, sampleRound(id));
        await insert(storage, sampleRound(other));
        check.equal(await roundsOf(storage, id), [sampleRound(id)], 'asking');
        await check.rejects(insert(storage, ended(id)), 'a second round of the number');
        check.equal(await roundsOf(storage, id), [sampleRound(id)], 'unchanged');
        const voted = ended(id, { costMicros: GREATEST, startedAt: NOW + 3 });
        await write(storage, (rows) => rows.updateRound(voted));
        check.by('updateRound').equal(await roundsOf(storage, id), [voted], 'voted');
        check
          .by('updateRound')
          .equal(await roundsOf(storage, other), [sampleRound(other)], 'of another market');
        await check.by('updateRound').rejects(
          write(storage, (rows) => rows.updateRound(ended(id, { round: 2 }))),
          'one that does not exist',
        );
      },
    );

    test('are listed ascending, the newest of them', 'rounds', async ({ storage, check }) => {
      const [id, other] = [(await addMarket(storage)).id, (await addMarket(storage)).id];
      for (const round of [1, 3, 2, 10, 9]) await insert(storage, ended(id, { round }));
      await insert(storage, ended(other, { round: 4 }));
      const numbers = async (limit: number) => (await roundsOf(storage, id, limit)).map(({ round }) => round);
      check.equal(await numbers(3), [3, 9, 10], 'three');
      check.equal(await numbers(100), [1, 2, 3, 9, 10], 'all');
      check.equal(await roundsOf(storage, other + 1_000), [], 'of an unknown market');
    });

    test('are added up from an instant on', 'spentSince', async ({ storage, check }) => {
      const [id, other] = [(await addMarket(storage)).id, (await addMarket(storage)).id];
      const spent = (since: number) => storage.read((r) => r.resolutions.spentSince(since));
      check.equal(await spent(0), { calls: 0, costMicros: 0n }, 'nothing');
      await insert(storage, ended(id, { startedAt: NOW - 1, calls: 5, costMicros: 50n }));
      await insert(storage, ended(id, { round: 2, startedAt: NOW, calls: 2, costMicros: 20n }));
      await insert(storage, sampleRound(other, { startedAt: NOW + 1, calls: 3, costMicros: 3n }));
      check.equal(await spent(NOW - 1), { calls: 10, costMicros: 73n }, 'all');
      check.equal(await spent(NOW), { calls: 5, costMicros: 23n }, 'from the instant on');
      check.equal(await spent(NOW + 2), { calls: 0, costMicros: 0n }, 'after the last');
    });

    test(
      'are removed up to a number, if they have one of the findings',
      'deleteRounds',
      async ({ storage, check }) => {
        const [id, other] = [(await addMarket(storage)).id, (await addMarket(storage)).id];
        const { verdict } = ended(id);
        if (verdict === null) throw new Error('The sample has no verdict');
        const found = {
          1: 'no-quorum',
          2: 'split',
          3: 'too-early',
          4: 'unconfident',
          5: 'no-quorum',
        } as const;
        for (const [round, finding] of Object.entries(found))
          await insert(storage, ended(id, { round: Number(round), verdict: { ...verdict, finding } }));
        await insert(storage, ended(other, { verdict: { ...verdict, finding: 'no-quorum' } }));
        await insert(storage, sampleRound(id, { round: 6 }));
        const remove = (upTo: number) =>
          write(storage, (rows) =>
            rows.deleteRounds({ marketId: id, upTo, findings: ['no-quorum', 'too-early'] }),
          );
        const numbers = async () => (await roundsOf(storage, id)).map(({ round }) => round);
        await remove(3);
        check.equal(await numbers(), [2, 4, 5, 6], 'up to the third');
        await remove(100);
        check.equal(await numbers(), [2, 4, 6], 'all of these findings');
        check.equal((await roundsOf(storage, other)).length, 1, 'of another market');
      },
    );
  });
}
