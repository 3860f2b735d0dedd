import { ALL, byTimeThenText, compareNumbers, roundKey, type TimeKey } from './row-keys';
import type { ResolutionStateRow, RoundRow } from './rows';
import { OrderedIndex, Table, type UndoLog } from './table';

export function resolutionTables(undo: UndoLog) {
  const resolutionsByStatus = new OrderedIndex<ResolutionStateRow, number>(
    (row) => (row.status === 'done' ? null : row.status),
    (row) => row.marketId,
    compareNumbers,
  );
  const roundsByMarket = new OrderedIndex<RoundRow, number>(
    (row) => row.marketId,
    (row) => row.round,
    compareNumbers,
  );
  const roundsByStart = new OrderedIndex<RoundRow, TimeKey<string>>(
    () => ALL,
    (row) => ({ time: row.startedAt, id: roundKey(row) }),
    byTimeThenText,
  );
  return {
    resolutions: new Table<number, ResolutionStateRow>(undo, (row) => row.marketId, [resolutionsByStatus]),
    resolutionsByStatus,
    rounds: new Table<string, RoundRow>(undo, roundKey, [roundsByMarket, roundsByStart]),
    roundsByMarket,
    roundsByStart,
  };
}
