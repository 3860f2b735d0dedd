import {
  OPEN_RESOLUTION_STATUSES,
  type ResolutionRound,
  type ResolutionState,
} from '../../../src/domain/oracle/resolution-state';
import type { ResolutionReader, ResolutionRepository } from '../../../src/ports/storage';
import { addTo, ALL, compareNumbers, roundKey, type Database, type Gate } from './database';
import { marketRecordOf } from './markets';
import { mergedPage, take } from './paging';
import type { ResolutionStateRow, RoundRow } from './rows';

export function resolutionReader(db: Database, gate: Gate): ResolutionReader {
  return {
    find: (marketId) =>
      gate(() => {
        const row = db.resolutions.get(marketId);
        return row === undefined ? null : toState(row);
      }),
    list: ({ status, limit, offset }) =>
      gate(() => {
        const statuses = status === undefined ? OPEN_RESOLUTION_STATUSES : [status];
        const branches = statuses.map((name) => db.resolutionsByStatus.in(name));
        const ids = mergedPage(
          branches.map((branch) => branch.ascending()),
          compareNumbers,
          { limit, offset },
        );
        return {
          resolutions: ids.map((id) => ({
            ...toState(db.resolutions.get(id) as ResolutionStateRow),
            market: marketRecordOf(db, id),
          })),
          total: branches.reduce((sum, branch) => sum + branch.size, 0),
        };
      }),
    listRounds: ({ marketId, limit }) =>
      gate(() =>
        take(db.roundsByMarket.in(marketId).descending(), limit)
          .reverse()
          .map((round) => toRound(db.rounds.get(roundKey({ marketId, round })) as RoundRow)),
      ),
    spentSince: (startedAt) =>
      gate(() => {
        const spent = { calls: 0, costMicros: 0n };
        for (const { id } of db.roundsByStart.in(ALL).ascending({ time: startedAt, id: '' })) {
          const round = db.rounds.get(id) as RoundRow;
          spent.calls += round.calls;
          spent.costMicros += round.costMicros;
        }
        return spent;
      }),
  };
}

export function resolutionRepository(db: Database, gate: Gate): ResolutionRepository {
  return addTo<ResolutionReader, ResolutionRepository>(resolutionReader(db, gate), {
    save: (state) => gate(() => db.resolutions.put(stateRow(state))),
    insertRound: (round) =>
      gate(() => {
        if (db.rounds.has(roundKey(round))) throw new Error(`storage: ${named(round)} exists`);
        db.rounds.put(roundRow(round));
      }),
    updateRound: (round) =>
      gate(() => {
        if (!db.rounds.has(roundKey(round))) throw new Error(`storage: ${named(round)} does not exist`);
        db.rounds.put(roundRow(round));
      }),
    deleteRounds: ({ marketId, upTo, findings }) =>
      gate(() => {
        const old = [...db.roundsByMarket.in(marketId).ascending()].filter((round) => round <= upTo);
        for (const round of old) {
          const key = roundKey({ marketId, round });
          const finding = db.rounds.get(key)?.finding ?? null;
          if (finding !== null && findings.includes(finding)) db.rounds.remove(key);
        }
      }),
  });
}

const named = ({ marketId, round }: ResolutionRound): string => `round ${round} of market ${marketId}`;

function stateRow(state: ResolutionState): ResolutionStateRow {
  const { marketId, status, history, lastOutcome, proposal, nextAttemptAt, updatedAt } = state;
  const details = JSON.stringify({ history, proposal });
  return { marketId, status, lastOutcome, nextAttemptAt, updatedAt, details };
}

function toState({ details, ...row }: ResolutionStateRow): ResolutionState {
  return { ...row, ...(JSON.parse(details) as Pick<ResolutionState, 'history' | 'proposal'>) };
}

function roundRow(round: ResolutionRound): RoundRow {
  const { marketId, status, leaseToken, startedAt, endedAt, votes, verdict, calls, costMicros } = round;
  const fields = { marketId, round: round.round, status, leaseToken, startedAt, endedAt, calls, costMicros };
  return { ...fields, finding: verdict?.finding ?? null, details: JSON.stringify({ votes, verdict }) };
}

function toRound({ details, finding: _finding, ...row }: RoundRow): ResolutionRound {
  return { ...row, ...(JSON.parse(details) as Pick<ResolutionRound, 'votes' | 'verdict'>) };
}
