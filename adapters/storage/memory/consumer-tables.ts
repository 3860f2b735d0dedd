import type { Consumer } from '../../../src/domain/consumers';
import { ALL, bySeqThenEpoch, compareText, parkedFactKey } from './row-keys';
import type { ParkedFactRow } from './rows';
import { OrderedIndex, Table, type UndoLog } from './table';

export function consumerTables(undo: UndoLog) {
  const consumersByName = new OrderedIndex<Consumer, string>(
    () => ALL,
    (row) => row.name,
    compareText,
  );
  const parkedByConsumer = new OrderedIndex<ParkedFactRow, { seq: number; epoch: string }>(
    (row) => row.consumer,
    ({ seq, epoch }) => ({ seq, epoch }),
    bySeqThenEpoch,
  );
  return {
    consumers: new Table<string, Consumer>(undo, (row) => row.name, [consumersByName]),
    consumersByName,
    parkedFacts: new Table<string, ParkedFactRow>(undo, parkedFactKey, [parkedByConsumer]),
    parkedByConsumer,
  };
}
